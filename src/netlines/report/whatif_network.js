// The network in the page. It answers as the Python library does: the same sums, the same ties, the same
// integration over what is unknown. Nothing here knows of the page.

const UNKNOWN = null, MISSING = false;  // settings that are no values
const EDGE = 1e-9, TIE = 0.999, LEAST = 1e-3, RIDGE = 1e-3, QUANTILES = 64, DRAWS = 256, FURTHEST = 1e150;
const EPSILON = 2 ** -52, DAY = 86400000;  // the last digit of 1; milliseconds
const MONTHS = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"];
const WEEKDAYS = ["Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"];

// ---- sums whose signs do not depend on rounding

const half = (a) => { const scaled = 134217729 * a; return scaled - (scaled - a); };

/** Return bias + Σ weights·x as if with twice the digits: error-free products and sums (Dekker, Knuth). */
function accurateSum(weights, x) {
  let high = weights[0], low = 0;
  for (let i = 0; i < x.length; i++) {
    const a = x[i], b = weights[i + 1], product = a * b;
    const a1 = half(a), a2 = a - a1, b1 = half(b), b2 = b - b1;
    const lost = ((a1 * b1 - product) + a1 * b2 + a2 * b1) + a2 * b2;
    const total = high + product, part = total - high;
    low += (high - (total - part)) + (product - part) + lost;
    high = total;
  }
  return high + low;
}

/** Return bias + Σ weights·x; with twice the digits if rounding could decide the sign. */
function weightedSum(weights, x) {
  let sum = 0, size = Math.abs(weights[0]);
  for (let i = 0; i < x.length; i++) {
    const product = weights[i + 1] * x[i];
    sum += product;
    size += Math.abs(product);
  }
  sum += weights[0];
  return Math.abs(sum) <= (x.length + 2) * EPSILON * size ? accurateSum(weights, x) : sum;
}

// ---- probabilities and ties

const expit = (z) => 1 / (1 + Math.exp(-Math.min(Math.max(z, -700), 700)));
const total = (values) => values.reduce((sum, one) => sum + one, 0);
const shared = (values) => { const sum = total(values); return values.map((one) => one / sum); };

/** Return the class with the largest score: of two equal ones the second, of more the first. */
function mostProbable(scores) {
  if (scores.length === 2) return scores[1] >= scores[0] ? 1 : 0;
  return scores.indexOf(Math.max(...scores));
}

/** Return scores of which the answer's is the largest: where it is not, it is put next above the others. */
function agreeing(scores, answer) {
  const best = Math.max(...scores.filter((_, k) => k !== answer));
  const least = best + EDGE * Math.max(Math.abs(best), EDGE);
  return scores.map((one, k) => (k === answer ? Math.max(one, least) : one));
}

/** Return the share of a normal distribution below x. */
function below(x) {
  const z = Math.abs(x) / Math.SQRT2;
  let tail;
  if (z < 2) {  // all terms are positive: no digit is lost
    let term = z, sum = z;
    for (let n = 1; term > sum * 1e-17; n++) { term *= 2 * z * z / (2 * n + 1); sum += term; }
    tail = 0.5 - sum * Math.exp(-z * z) / Math.sqrt(Math.PI);
  } else {  // a continued fraction, from its far end
    let fraction = z;
    for (let n = 80; n > 0; n--) fraction = z + n / 2 / fraction;
    tail = 0.5 * Math.exp(-z * z) / Math.sqrt(Math.PI) / fraction;
  }
  return x > 0 ? 1 - tail : tail;
}

/** Return the number that has a share p of a normal distribution below it: Newton's steps for log p. */
function quantile(p) {
  if (p > 0.5) return -quantile(1 - p);
  let x = 0;
  for (let n = 0; n < 60; n++) {
    const share = below(x), density = Math.exp(-x * x / 2) / Math.sqrt(2 * Math.PI);
    const step = Math.log(p / share) * share / density;
    x += step;
    if (Math.abs(step) < 1e-15 * Math.max(1, Math.abs(x))) break;
  }
  return x;
}

// ---- one network, and several that decide together

/** Return the answer of one network with its scores and probabilities; two classes have one score. */
function answerOf(part, x) {
  const fields = part.weights.map((one) => weightedSum(one, x));
  const states = fields.map((one) => (one >= 0 ? 1 : -1));
  const sums = part.outputs === null ? fields : part.outputs.map((one) => accurateSum(one, states));
  const label = sums.length === 1 ? Number(sums[0] >= 0) : mostProbable(sums);
  const own = part.calibration;
  if (own === null) return { label, scores: sums, p: null };
  const bent = fields.map((one, h) => Math.tanh(one * own.steepness[h]));
  let z = own.intercepts.map((start, k) => {
    let linear = 0, steps = 0;
    fields.forEach((one, h) => { linear += one * own.slopes[k][h]; steps += bent[h] * own.steps[k][h]; });
    const score = start + linear + steps;
    return Number.isNaN(score) ? 0 : Math.min(Math.max(score, -1e300), 1e300);
  });
  if (z.length === 1) {
    const score = (label ? Math.max(z[0], EDGE) : Math.min(z[0], -EDGE)) + own.shift[0];
    return { label: Number(score >= 0), scores: [score], p: [expit(-score), expit(score)] };
  }
  const most = Math.max(...z);
  z = agreeing(z.map((one) => one - most + 1), label).map((one, k) => one + own.shift[k]);
  const top = Math.max(...z);
  const p = shared(z.map((one) => Math.exp(one - top)));
  return { label: own.shift.some((one) => one !== 0) ? mostProbable(p) : label, scores: p.map(Math.log), p };
}

/** Return what a tree says: the first network that answers +1 decides, the last class if none does. */
function walkTree(margins, p, order) {
  const says = margins.map((one) => one >= 0), n = margins.length;
  const sure = margins.map((one, k) => ((says[k] ? one > 0 : one < 0) ? one : says[k] ? EDGE : -EDGE));
  const scores = [], chances = [];
  let least = Infinity, left = 1;
  for (let k = 0; k <= n; k++) {
    scores[order[k]] = k < n ? Math.min(least, sure[k]) : least;
    chances[order[k]] = k < n ? left * p[k] : left;
    if (k < n) { least = Math.min(least, -sure[k]); left *= 1 - p[k]; }
  }
  const first = says.indexOf(true);
  return { label: order[first < 0 ? n : first], scores, chances };
}

function holdVote(trees, order, byConfidence, n) {
  if (trees.length === 1) return trees[0];
  const classes = Array.from({ length: n }, (_, k) => k);
  const chances = classes.map((k) => total(trees.map((one) => one.chances[k])) / trees.length);
  const votes = classes.map((k) => (byConfidence ? 0 : trees.filter((one) => one.label === k).length));
  const most = Math.max(...votes);
  let label = -1;
  for (const k of order) if (votes[k] === most && (label < 0 || chances[k] > chances[label])) label = k;
  const scores = agreeing(classes.map((k) => (byConfidence ? chances[k] : votes[k] + TIE * chances[k])), label);
  return { label, scores, chances };
}

function takeLargest(margins, p, pairs) {
  const scores = [], chances = [], sum = total(p);
  pairs.forEach(([own], k) => { scores[own] = margins[k]; chances[own] = sum > 0 ? p[k] / sum : 1 / p.length; });
  return { label: mostProbable(scores), scores, chances };
}

function sumPairs(p, pairs, n) {
  const shares = new Array(n).fill(0), won = new Array(n).fill(0), inverse = new Array(n).fill(2 - n);
  pairs.forEach(([first, second], k) => {
    const sure = Math.min(Math.max(p[k], 1e-9), 1 - 1e-9);
    shares[first] += p[k];
    shares[second] += 1 - p[k];
    won[p[k] >= 0.5 ? first : second] += 1;
    inverse[first] += 1 / sure;
    inverse[second] += 1 / (1 - sure);
  });
  const scores = shares.map((one) => one / pairs.length), champion = won.indexOf(n - 1);
  const label = champion >= 0 ? champion : scores.indexOf(Math.max(...scores));
  return { label, scores: agreeing(scores, label), chances: shared(inverse.map((one) => 1 / one)) };
}

function combined(model, x) {
  const margins = model.parts.map((part) => answerOf(part, x).scores[0]);
  const p = margins.map((one, k) => {
    const part = model.parts[k];
    return expit(part.calibration === null ? 2 / part.scale * one : one);
  });
  if (model.scheme === "wta") return takeLargest(margins, p, model.pairs);
  if (model.scheme === "pairs") return sumPairs(p, model.pairs, model.classes.length);
  const trees = model.trees.map((own, t) =>
    walkTree(own.map((k) => margins[k]), own.map((k) => p[k]), model.orders[t]));
  return holdVote(trees, model.orders[0], model.confidence, model.classes.length);
}

/** Return the answer to a complete row: {label, scores, p}; p is null without probabilities. */
function forward(model, x) {
  if (model.scheme === null) return answerOf(model.parts[0], x);
  const { label, scores, chances } = combined(model, x);
  if (!model.probability) return { label, scores, p: null };
  let p = agreeing(chances, label);
  if (model.ratio) p = p.map((one, k) => one * model.ratio[k]);
  p = shared(p);
  return { label: model.ratio ? mostProbable(p) : label, scores: p.map(Math.log), p };
}

// ---- from settings to inputs

/** Return the inputs of settings, one an attribute, NaN where they are unknown, as the weights count them. */
function encode(model, settings) {
  const row = new Array(model.mean.length).fill(NaN);
  model.attributes.forEach((one, a) => {
    if (one.kind === "date") one.parts.forEach((part) => encodePart(row, one, part, settings[a]));
    else encodeValue(row, one, settings[a]);
  });
  if (model.frame === null) return row;
  const [origin, unit] = model.frame;
  return row.map((one, i) => (one - origin[i]) / unit[i]);
}

function encodeValue(row, one, value) {
  const own = one.gap ? one.inputs.slice(0, -1) : one.inputs;
  if (one.gap) row[one.inputs[own.length]] = value === MISSING ? 1 : 0;
  if (value === UNKNOWN || (value === MISSING && !one.gap)) return;
  if (one.kind === "number") { row[own[0]] = value === MISSING ? one.fill : value; return; }
  const on = value === MISSING ? -1 : one.on[one.texts.indexOf(value)];
  if (on === undefined) return;
  own.forEach((i) => { row[i] = one.levels[i === on ? 1 : 0]; });
}

/** Write one part of a date into a row: days from a start on, the hour, or the name of month or weekday. */
function encodePart(row, one, part, value) {
  const time = value === UNKNOWN || value === MISSING ? NaN : Date.parse(value.includes("T") ? `${value}Z` : value);
  const when = new Date(time), named = part.part === "month" || part.part === "weekday";
  const own = part.gap ? part.inputs.slice(0, -1) : part.inputs;
  let on = -2;  // no value that is known
  if (named && !Number.isNaN(time)) {
    const text = part.part === "month" ? MONTHS[when.getUTCMonth()] : WEEKDAYS[when.getUTCDay()];
    const place = part.texts.indexOf(text);
    if (place >= 0) on = own[place];
    else if (text === part.base || !part.texts.length) on = -1;
    else if (part.other) on = own[own.length - 1];
  }
  const absent = named ? on === -2 : Number.isNaN(time);
  const missing = absent && part.gap && value !== UNKNOWN;
  if (part.gap) row[part.inputs[own.length]] = missing ? 1 : 0;
  if (absent && !missing) return;
  if (named) own.forEach((i) => { row[i] = i === on ? 1 : 0; });
  else if (missing) row[own[0]] = part.fill;
  else if (part.part === "days") row[own[0]] = (time - one.start) / DAY;
  else row[own[0]] = (time - Math.floor(time / DAY) * DAY) / (DAY / 24);
}

/** Return the answer to settings: {label, p, scores, unknown}; null if too many values are unknown.
 *  `p` are probabilities, or without them null; `shares` what an incomplete row has. */
function answerTo(model, settings) {
  const row = encode(model, settings), unknowns = unknownsOf(model, row);
  if (!unknowns.length) return { ...forward(model, row), row, unknown: 0, shares: null };
  const shares = integrate(model, row, unknowns);
  if (shares === null) return null;
  const p = model.probability ? shares : null;
  return { label: mostProbable(shares), p, scores: null, row, unknown: unknowns.length, shares };
}
