// Rows that lack values: what is unknown is integrated out, given what is known, as the Python library does.

/** Return the lower triangle L of a positive matrix, L·Lᵀ, or null if rounding made it none. */
function cholesky(matrix) {
  const root = matrix.map(() => []);
  for (let i = 0; i < matrix.length; i++) {
    for (let j = 0; j <= i; j++) {
      let rest = matrix[i][j];
      for (let k = 0; k < j; k++) rest -= root[i][k] * root[j][k];
      if (i === j && !(rest > 0)) return null;
      root[i][j] = i === j ? Math.sqrt(rest) : rest / root[j][j];
    }
  }
  return root;
}

function solved(root, right) {
  const n = root.length, x = right.slice();
  for (let i = 0; i < n; i++) {
    for (let k = 0; k < i; k++) x[i] -= root[i][k] * x[k];
    x[i] /= root[i][i];
  }
  for (let i = n - 1; i >= 0; i--) {
    for (let k = i + 1; k < n; k++) x[i] -= root[k][i] * x[k];
    x[i] /= root[i][i];
  }
  return x;
}

/** Return how missing inputs are distributed given the known ones: {known, slopes, covariance}. */
function conditional(model, missing) {
  const key = missing.join();
  model.conditionals ??= new Map();
  if (!model.conditionals.has(key)) {
    const size = model.mean.length, rows = model.correlation, gone = new Set(missing);
    const at = (i, j) => ((j < rows[i].length ? rows[i][j] : rows[j][i]) + (i === j ? RIDGE : 0)) / (1 + RIDGE);
    const known = [...Array(size).keys()].filter((i) => !gone.has(i));
    const root = cholesky(known.map((i) => known.map((j) => at(Math.min(i, j), Math.max(i, j)))));
    const slopes = missing.map((m) => solved(root, known.map((i) => at(i, m))));
    const covariance = missing.map((a) => missing.map((b, j) =>
      at(a, b) - total(known.map((i, k) => at(i, a) * slopes[j][k]))));
    if (model.conditionals.size > 200) model.conditionals.clear();
    model.conditionals.set(key, { known, slopes, root: cholesky(covariance), covariance });
  }
  return model.conditionals.get(key);
}

/** Return the means, in standardised units, of missing inputs in a row; 0 if nothing is known of them. */
function expectations(model, row, missing) {
  if (model.correlation === null) return missing.map(() => 0);
  const { known, slopes } = conditional(model, missing);
  const z = known.map((i) => Math.min(Math.max((row[i] - model.mean[i]) / model.scale[i], -FURTHEST), FURTHEST));
  return slopes.map((own) => { let sum = 0; own.forEach((one, k) => { sum += one * z[k]; }); return sum; });
}

/** Return the inputs that are unknown together: {inputs, choices}, choices null for a number. */
function unknownsOf(model, row) {
  const found = new Map();
  row.forEach((one, i) => {
    if (Number.isNaN(one)) found.set(i, { inputs: [i], choices: null, allowed: model.allowed[i] });
  });
  for (const group of model.groups) {
    const low = Math.min(...group.map((i) => model.allowed[i][0]));
    const high = Math.max(...group.map((i) => model.allowed[i][1]));
    const inputs = group.filter((i) => Number.isNaN(row[i]));
    const known = group.filter((i) => !Number.isNaN(row[i]));
    const up = known.filter((i) => row[i] === high).length;
    if (!inputs.length || up > 1 || !known.every((i) => row[i] === low || row[i] === high)) continue;
    const choices = up ? [inputs.map(() => low)] : inputs.map((_, k) => inputs.map((_, j) => (j === k ? high : low)));
    inputs.forEach((i) => found.delete(i));
    const settled = inputs.length === 1 ? [choices[0][0], choices[0][0], 2] : null;
    found.set(inputs[0], { inputs, choices: settled ? null : choices, allowed: settled });
  }
  return [...found.keys()].sort((a, b) => a - b).map((i) => found.get(i));
}

/** Round as Python does: halves to the even number. */
function rounded(x) {
  const down = Math.floor(x), rest = x - down;
  return rest < 0.5 ? down : rest > 0.5 ? down + 1 : down % 2 ? down + 1 : down;
}

/** Return the value nearest to x that an input may have. */
function nearest([low, high, kind], x) {
  if (kind === 2) return x - low <= high - x ? low : high;
  const inside = Math.min(Math.max(x, low ?? -Infinity), high ?? Infinity);
  return kind === 1 ? rounded(inside) : inside;
}

function chancesOf(model, row, missing, unknown) {
  const { inputs, choices } = unknown;
  if (choices.length === 1) return [1];
  const mean = expectations(model, row, missing);
  const every = choices.flat(), low = Math.min(...every), high = Math.max(...every);
  return shared(inputs.map((i) => {
    const share = (model.mean[i] + model.scale[i] * mean[missing.indexOf(i)] - low) / (high - low);
    return Math.max(share, LEAST);
  }));
}

/** Return evenly spread numbers between 0 and 1 for n unknowns, null for more than the page has. */
function spread(model, n) {
  if (n === 1) return Array.from({ length: QUANTILES }, (_, k) => [(k + 0.5) / QUANTILES]);
  const columns = model.draws[n - 2];
  if (!columns) return null;
  const bits = columns.map((one) => one[0]), found = [];
  for (let i = 0; i < DRAWS; i++) {
    if (i) columns.forEach((one, k) => { bits[k] ^= one[1 + 31 - Math.clz32(i & -i)]; });
    found.push(bits.map((one) => Math.min(Math.max(one / 2 ** 30, 1e-9), 1 - 1e-9)));
  }
  return found;
}

function pointsFor(model, n) {
  model.points ??= new Map();
  if (!model.points.has(n)) {
    const shares = spread(model, n);
    model.points.set(n, shares && shares.map((own) => ({ shares: own, normal: own.map(quantile) })));
  }
  return model.points.get(n);
}

/** Return a row filled at one point: group after group, then the numbers, each given what is known.
 *  `same` are the means of the numbers if no group comes before them, null otherwise. */
function filled(model, row, unknowns, point, same) {
  const full = row.slice();
  let missing = unknowns.flatMap((one) => one.inputs);
  unknowns.forEach((one, k) => {
    if (one.choices === null) return;
    let passed = 0, sum = 0;
    for (const chance of chancesOf(model, full, missing, one)) { sum += chance; if (sum < point.shares[k]) passed++; }
    const values = one.choices[Math.min(passed, one.choices.length - 1)];
    one.inputs.forEach((i, j) => { full[i] = values[j]; });
    missing = missing.filter((i) => !one.inputs.includes(i));
  });
  if (!missing.length) return full;
  const mean = same ?? expectations(model, full, missing);
  const root = model.correlation === null ? null : conditional(model, missing).root;
  const numbers = unknowns.map((one, k) => k).filter((k) => unknowns[k].choices === null);
  const normal = numbers.map((k) => point.normal[k]);
  numbers.forEach((k, m) => {
    let apart = mean[m];
    if (root === null) apart += normal[m];
    else for (let j = 0; j <= m; j++) apart += normal[j] * root[m][j];
    const i = missing[m];
    full[i] = nearest(unknowns[k].allowed, model.mean[i] + model.scale[i] * apart);
  });
  return full;
}

const sharesOf = (model, row) => {
  const { label, p } = forward(model, row);
  return p ?? model.classes.map((_, k) => Number(k === label));
};

/** Return the shares of the classes of a row that lacks values; null if it lacks too many. */
function integrate(model, row, unknowns) {
  const sum = model.classes.map(() => 0);
  const add = (values, weight) => values.forEach((one, k) => { sum[k] += weight * one; });
  const [first] = unknowns;
  if (unknowns.length === 1 && first.choices !== null) {
    chancesOf(model, row, first.inputs, first).forEach((chance, k) => {
      const full = row.slice();
      first.inputs.forEach((i, j) => { full[i] = first.choices[k][j]; });
      add(sharesOf(model, full), chance);
    });
  } else if (unknowns.length === 1 && !model.probability) {
    overPieces(model, row, first).forEach(([label, share]) => { sum[label] += share; });
  } else {
    const points = pointsFor(model, unknowns.length);
    if (points === null) return null;
    const numbers = unknowns.every((one) => one.choices === null);
    const same = numbers ? expectations(model, row, unknowns.flatMap((one) => one.inputs)) : null;
    for (const point of points) add(sharesOf(model, filled(model, row, unknowns, point, same)), 1 / points.length);
  }
  return shared(sum);
}

/** Return [class, share] of the pieces of the line along which one number is unknown. */
function overPieces(model, row, { inputs: [i], allowed: [low, high, kind] }) {
  const full = row.slice(), labelAt = (value) => { full[i] = value; return forward(model, full).label; };
  full[i] = 0;
  const cuts = crossings(model, full, i).sort((a, b) => a - b);
  const reach = 10 * model.scale[i], far = [model.mean[i], ...cuts];
  const ends = [low ?? Math.min(...far) - reach, high ?? Math.max(...far) + reach];
  const pieces = piecesOf(labelAt, ends, cuts, { whole: kind === 1, only: kind === 2, pure: model.pure });
  const mean = model.mean[i] + model.scale[i] * expectations(model, row, [i])[0];
  const variance = model.correlation === null ? 1 : conditional(model, [i]).covariance[0][0];
  const width = model.scale[i] * Math.sqrt(variance);
  let before = 0;
  return pieces.map((piece, k) => {
    const border = k + 1 < pieces.length ? (piece.to + pieces[k + 1].from) / 2 : Infinity;
    const share = border === Infinity ? 1 : below((border - mean) / width), own = share - before;
    before = share;
    return [piece.label, own];
  });
}

/** Return where hidden units change as one input runs; of `row` the value of this input counts as it is. */
function crossings(model, row, i) {
  return model.parts.flatMap((part) => part.weights).filter((own) => own[i + 1] !== 0)
    .map((own) => row[i] - weightedSum(own, row) / own[i + 1]).filter(Number.isFinite);
}

/** Return the pieces {from, to, label} of a line with one answer each.
 *  Between two changes of a hidden unit a pure network answers the same; others are tried at 16 more points. */
function piecesOf(labelAt, [low, high], cuts, { whole = false, only = false, pure, fine = 0 }) {
  let points;
  const inner = cuts.filter((one) => one > low && one < high);
  const ends = [low, ...inner, high], steps = pure ? 1 : 16;
  if (only) points = [low, high];
  else if (whole && high - low <= 100) points = Array.from({ length: high - low + 1 }, (_, k) => low + k);
  else {
    points = [low, high];
    ends.slice(1).forEach((end, k) => {
      for (let s = 0; s < steps; s++) points.push(ends[k] + (end - ends[k]) * (s + 0.5) / steps);
    });
    if (whole) points = points.concat(inner.flatMap((one) => [-1, 0, 1, 2].map((s) => Math.floor(one) + s)));
    if (whole) points = points.map((one) => Math.min(Math.max(Math.round(one), low), high));
  }
  points = [...new Set(points)].sort((a, b) => a - b);
  const pieces = [];
  for (const point of points) {
    const label = labelAt(point), last = pieces[pieces.length - 1];
    if (last && last.label === label) { last.to = point; continue; }
    let from = point;
    if (last && !only) {
      for (let n = 0; n < 64 && from - last.to > (whole ? 1 : fine); n++) {
        const middle = whole ? Math.floor((last.to + from) / 2) : (last.to + from) / 2;
        if (middle === last.to || middle === from) break;
        if (labelAt(middle) === last.label) last.to = middle; else from = middle;
      }
    }
    pieces.push({ from, to: point, label });
  }
  return pieces;
}
