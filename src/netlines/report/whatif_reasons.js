// Why the network answers so: what each attribute adds, and which change of one attribute changes the answer.

const MOST_WORK = 6e7;  // multiplications that a change of a slider may cost

/** Return by how much a class leads: log-odds, or without probabilities what the outputs or shares say. */
function leadOf(model, answer, label) {
  if (answer.p !== null || answer.scores === null) {
    const p = answer.p ?? answer.shares;
    const others = total(p.filter((_, k) => k !== label));
    return Math.log(Math.max(p[label], 1e-300)) - Math.log(Math.max(others, 1e-300));
  }
  if (answer.scores.length === 1) return label ? answer.scores[0] : -answer.scores[0];
  return answer.scores[label] - Math.max(...answer.scores.filter((_, k) => k !== label));
}

/** Return a number with so many decimals. */
const trimmed = (value, decimals) => Number(decimals > 20 ? value.toPrecision(9) : value.toFixed(decimals));

const changed = (settings, a, value) => settings.map((one, k) => (k === a ? value : one));

/** Return how many multiplications the answer to these settings costs. */
function workOf(model, unknown) {
  const units = model.parts.flatMap((part) => part.weights).length;
  const each = units * (model.mean.length + 3 * model.classes.length);
  if (unknown === 0) return each;
  return (each + 8 * model.mean.length) * (unknown === 1 ? QUANTILES : DRAWS);
}

/** Return what speaks for and against the answer, the most important first: {attribute, effect}.
 *  The effect is what would be lost of its lead if the attribute had its usual value. */
function reasonsFor(model, settings, answer) {
  if (workOf(model, answer.unknown) * settings.length > MOST_WORK) return null;
  const lead = leadOf(model, answer, answer.label), found = [];
  model.attributes.forEach((one, a) => {
    if (settings[a] === UNKNOWN || settings[a] === one.usual || one.weight === 0) return;
    const usual = answerTo(model, changed(settings, a, one.usual));
    const effect = usual === null ? 0 : lead - leadOf(model, usual, answer.label);
    if (Math.abs(effect) > 1e-6) found.push({ attribute: a, effect });
  });
  return found.sort((a, b) => Math.abs(b.effect) - Math.abs(a.effect));
}

/** Return the smallest change of each attribute that changes the answer: {attribute, value, label, distance}.
 *  Null if that would take too long. Distances are in standard deviations. */
function flipsOf(model, settings, answer) {
  const tries = answer.unknown ? 40 : 20 + model.parts.flatMap((part) => part.weights).length;
  if (workOf(model, answer.unknown) * tries * settings.length > MOST_WORK) return null;
  const found = [];
  model.attributes.forEach((one, a) => {
    if (settings[a] === UNKNOWN || settings[a] === MISSING || one.weight === 0) return;
    for (const value of otherValues(model, settings, answer, a)) {
      const other = answerTo(model, changed(settings, a, value));
      if (other === null || other.label === answer.label) continue;
      found.push({ attribute: a, value, label: other.label, distance: distance(model, answer.row, other.row) });
    }
  });
  found.sort((a, b) => a.distance - b.distance);
  return found.filter((one, k) => found.findIndex((other) => other.attribute === one.attribute) === k);
}

/** Return values of an attribute that are worth trying, of numbers the nearest that change the answer. */
function otherValues(model, settings, answer, a) {
  const one = model.attributes[a], now = settings[a];
  if (one.kind === "choice") return one.texts.filter((text) => text !== now);
  const labelAt = (value) => answerTo(model, changed(settings, a, value))?.label;
  if (one.kind === "date") {
    const day = (text) => Math.floor(Date.parse(text.slice(0, 10)) / DAY), clock = now.slice(10);
    const text = (k) => new Date(k * DAY).toISOString().slice(0, 10) + clock;
    const pieces = piecesOf((k) => labelAt(text(k)), [day(one.low), day(one.high)], [], { whole: true, pure: false });
    return nearestValues(pieces, day(now), answer.label, (low) => low, (high) => high).map(text);
  }
  const [i] = one.inputs;
  const [origin, unit] = model.frame === null ? [0, 1] : model.frame.map((own) => own[i]);
  const inside = answer.unknown ? [] : crossings(model, answer.row, i);
  const cuts = inside.map((x) => x * unit + origin).sort((x, y) => x - y);
  const pure = model.pure && !answer.unknown;
  const fine = answer.unknown ? one.step / 1000 : 0;
  const pieces = piecesOf(labelAt, [one.low, one.high], cuts, { whole: one.whole, pure, fine });
  const short = (edge, far, round) => {  // the shortest number inside of the piece
    for (let more = 0; more < 6; more++) {
      const step = one.step / 10 ** more, value = trimmed(round(edge / step) * step, one.decimals + more);
      const fits = edge <= far ? value >= edge && value <= far : value <= edge && value >= far;
      if (fits && labelAt(value) !== answer.label) return value;
    }
    return edge;
  };
  const up = (low, high) => (one.whole ? low : short(low, high, Math.ceil));
  const down = (high, low) => (one.whole ? high : short(high, low, Math.floor));
  return nearestValues(pieces, now, answer.label, up, down);
}

/** Return the nearest values above and below the present one that lie in pieces of another answer. */
function nearestValues(pieces, now, label, up, down) {
  const above = pieces.find((one) => one.label !== label && one.from > now);
  const under = [...pieces].reverse().find((one) => one.label !== label && one.to < now);
  const found = [];
  if (above) found.push(up(above.from, above.to));
  if (under) found.push(down(under.to, under.from));
  return found;
}

/** Return how far two rows are apart, in standard deviations of the inputs. */
function distance(model, row, other) {
  return Math.sqrt(total(row.map((one, i) => {
    const apart = (one - other[i]) / model.scale[i];
    return Number.isNaN(apart) ? 0 : apart * apart;
  })));
}
