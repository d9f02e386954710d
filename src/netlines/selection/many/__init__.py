"""Chooses on the training data with many classes: teachers, a shared layer, trees and pairs of units."""
