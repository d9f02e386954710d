"""`python -m netlines` is the command `netlines`."""

from netlines.cli import main

if __name__ == "__main__":
    main()
