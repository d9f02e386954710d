// The panel: fields for all attributes, the answer, the reasons and the nearest other answers beside them.
// All texts of the user go into the page as text, never as HTML.

const FEW = 10, MOST_CLASSES = 10, MOST_REASONS = 5, MOST_FLIPS = 4;
const model = JSON.parse(document.getElementById("whatif-value").textContent);
const place = document.getElementById("whatif-panel");

// ---- words

const minus = (text) => text.replace("-", "−");
const wordOf = (one) => (one.gap ? "missing" : "unknown");
const lackOf = (one) => (one.gap ? MISSING : UNKNOWN);
const lacks = (value) => value === UNKNOWN || value === MISSING;

function shown(one, value) {
  if (lacks(value)) return value === MISSING ? "missing" : "unknown";
  if (typeof value !== "number") return one.kind === "date" ? value.replace("T", " ") : value;
  const short = trimmed(value, one.decimals + 1);
  return minus(String(short === 0 ? Number(value.toPrecision(3)) : short));
}

/** Return a share in percent; a probability is never said to be 0 or 1. */
function percent(share) {
  if (share > 0.999 && (share < 1 || model.probability)) return "> 99.9\u00a0%";
  if (share < 0.001 && (share > 0 || model.probability)) return "< 0.1\u00a0%";
  return `${(100 * share).toFixed(1)}\u00a0%`;  // no line ends before the sign
}

function percentInWords(share) {
  return percent(share).replace(">", "more than").replace("<", "less than");
}

function factor(effect) {
  const size = Math.exp(Math.abs(effect));
  const text = size >= 1000 ? "1000+" : size.toFixed(size >= 100 ? 0 : size >= 10 ? 1 : 2);
  return `${effect > 0 ? "×" : "÷"} ${text}`;
}

// ---- elements

/** Return a new element; `attributes` are set as they are, children may be texts. */
function make(tag, attributes = {}, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (value === true) element.setAttribute(name, "");
    else if (value !== false && value !== undefined) element.setAttribute(name, value);
  }
  element.append(...children);
  return element;
}

// ---- one field an attribute

/** Return what fields of numbers and dates have below them: what training had, and a check for no value. */
function footOf(one, id, tell) {
  let last = one.usual;
  const check = make("input", { type: "checkbox", "aria-label": `${one.name} is ${wordOf(one)}` });
  const note = make("span", { class: "wi-note", id: `${id}-note` });
  const ends = `training had ${shown(one, one.low)} to ${shown(one, one.high)}`;
  check.addEventListener("change", () => tell(check.checked ? lackOf(one) : last));
  const show = (value) => {
    if (!lacks(value)) last = value;
    check.checked = lacks(value);
    const outside = isOutside(one, value);
    note.classList.toggle("wi-warning", outside);
    note.textContent = outside ? `outside: ${ends}` : one.seen ? ends : "range of training not known";
  };
  const absent = make("label", { class: "wi-absent" }, check, wordOf(one));
  return { element: make("div", { class: "wi-foot" }, note, absent), show };
}

const isOutside = (one, value) => Boolean(one.seen) && !lacks(value) && (value < one.low || value > one.high);

/** Return a field: its name, where it is set, and what stands below that. */
function fieldOf(one, id, input, ...below) {
  const head = make("div", { class: "wi-head" }, make("label", { for: id }, one.name), input);
  return make("div", { class: "wi-field" }, head, ...below);
}

/** Return the field of a number: a box for any value, and a slider over those of training. */
function numberField(one, id, tell) {
  const step = one.step, [first, last] = [Math.floor(one.low / step), Math.ceil(one.high / step)];
  const number = { type: "number", step: "any", inputmode: "decimal", autocomplete: "off" };
  const range = { type: "range", min: first, max: last, step: 1, disabled: first >= last };
  const box = make("input", { ...number, id, "aria-describedby": `${id}-note` });
  const slider = make("input", { ...range, "aria-label": `${one.name}, slider` });
  const foot = footOf(one, id, tell);
  const show = (value, typed = false) => {
    if (!typed) box.value = lacks(value) ? "" : String(value);
    slider.classList.toggle("wi-off", lacks(value));
    if (!lacks(value)) slider.value = String(Math.round(value / step));
    slider.setAttribute("aria-valuetext", shown(one, value));
    foot.show(value);
  };
  slider.addEventListener("input", () => {
    const value = trimmed(Number(slider.value) * step, one.decimals);
    tell(Math.min(Math.max(value, one.low), one.high));
  });
  box.addEventListener("input", () => {
    const value = box.value.trim() === "" ? NaN : Number(box.value);
    tell(Number.isFinite(value) && Math.abs(value) <= 1e100 ? value : lackOf(one), true);
  });
  return { element: fieldOf(one, id, box, slider, foot.element), show };
}

function choiceField(one, id, tell) {
  const list = make("select", { id });
  one.texts.forEach((text, k) => list.append(make("option", { value: k }, text)));
  list.append(make("option", { value: -1 }, `— ${wordOf(one)} —`));
  list.addEventListener("change", () => tell(list.value === "-1" ? lackOf(one) : one.texts[Number(list.value)]));
  const show = (value) => { list.value = String(lacks(value) ? -1 : one.texts.indexOf(value)); };
  return { element: fieldOf(one, id, list), show };
}

function dateField(one, id, tell) {
  const box = make("input", { type: one.timed ? "datetime-local" : "date", id, "aria-describedby": `${id}-note` });
  const foot = footOf(one, id, tell);
  const show = (value, typed = false) => {
    if (!typed) box.value = lacks(value) ? "" : value;
    foot.show(value);
  };
  box.addEventListener("input", () => tell(box.value === "" ? lackOf(one) : box.value, true));
  return { element: fieldOf(one, id, box, foot.element), show };
}

// ---- what is said

/** Return the bars of the classes: probabilities, or of incomplete rows the shares of possible values. */
function bars(answer) {
  const p = answer.p ?? answer.shares;
  if (p === null) return [];
  const order = p.map((_, k) => k).sort((a, b) => (a === answer.label ? -1 : b === answer.label ? 1 : p[b] - p[a]));
  const items = order.slice(0, MOST_CLASSES).map((k) => {
    const bar = make("span", { class: "wi-bar", "aria-hidden": "true" }, make("i"));
    bar.firstChild.style.width = `${100 * p[k]}%`;
    const kind = k === answer.label ? "wi-class wi-own" : "wi-class";
    const name = make("span", { class: "wi-name" }, model.classes[k]);
    return make("li", { class: kind }, name, bar, make("b", {}, percent(p[k])));
  });
  const left = order.length - items.length;
  if (left > 0) items.push(make("li", { class: "wi-more" }, `and ${left} more with less`));
  return items;
}

function reasonItem(one, value, effect, largest) {
  const side = effect > 0 ? "wi-for" : "wi-against";
  const bar = make("span", { class: `wi-signed ${side}`, "aria-hidden": "true" }, make("i"));
  bar.firstChild.style.width = `${50 * Math.abs(effect) / largest}%`;
  const how = model.probability ? factor(effect) : `${effect > 0 ? "+" : "−"}${Math.abs(effect).toPrecision(2)}`;
  const word = make("span", { class: "wi-spoken" }, effect > 0 ? "speaks for it:" : "speaks against it:");
  const kind = one.kind === "date" ? "wi-values wi-whole" : "wi-values";
  const values = make("span", { class: kind }, ` ${shown(one, value)}`);
  const usual = make("small", {}, ` usual ${shown(one, one.usual)}`);
  return make("li", {}, make("span", { class: "wi-name" }, one.name, values, usual), word, bar, make("b", {}, how));
}

function flipItem(one, now, flip, apply) {
  const text = `${one.name} ${shown(one, now)} → ${shown(one, flip.value)}`;
  const button = make("button", { type: "button", class: "wi-try", "aria-label": `try ${text}` }, "try");
  button.addEventListener("click", () => apply(flip));
  const far = make("small", {}, `${flip.distance.toPrecision(2)} standard deviations away`);
  return make("li", {}, make("span", {}, `${text} gives `, make("b", {}, model.classes[flip.label]), far), button);
}

/** Return the one sentence that is read out. */
function sentence(answer, settings) {
  if (answer === null) {
    const most = 1 + model.draws.length;
    return `More values are unknown than this page can average over: at most ${most}. Set some of them.`;
  }
  const outside = model.attributes.filter((one, a) => isOutside(one, settings[a])).map((one) => one.name);
  const share = (answer.p ?? answer.shares)?.[answer.label];
  let text = `The model answers ${model.classes[answer.label]}`;
  if (answer.p !== null) text += ` with a probability of ${percentInWords(share)}`;
  else if (answer.unknown) text += `, as it would for ${percentInWords(share)} of what the unknown values may be`;
  text += ".";
  if (answer.unknown && answer.p !== null) text += " What is unknown is averaged over, given the other values.";
  if (outside.length) text += ` Outside of what training had: ${outside.join(", ")}. The answer is a guess there.`;
  return text;
}

// ---- the whole panel

let start = 0, settings = model.starts[0].slice(), fields = [], later = 0, spoken = 0, took = 0;

const headline = make("p", { class: "wi-headline" });
const classes = make("ul", { class: "wi-classes", "aria-label": "Probabilities of the classes" });
const status = make("p", { class: "wi-status", role: "status", "aria-live": "polite", "aria-atomic": "true" });
const reasons = make("ul", { class: "wi-reasons" });
const flips = make("ul", { class: "wi-flips" });
const reasonsNote = make("p", { class: "wi-small" });
const flipsNote = make("p", { class: "wi-small" });
const origin = make("p", { class: "wi-small" });

function set(a, value, typed = false) {
  settings[a] = value;
  fields[a].show(value, typed);
  refresh();
}

function setAll(values) {
  settings = values.slice();
  fields.forEach((field, a) => field.show(settings[a]));
  refresh();
}

/** Show the answer now; reasons, flips and what is read out as soon as there is a pause. */
function refresh() {
  const answer = answerTo(model, settings);
  headline.textContent = answer === null ? "—" : model.classes[answer.label];
  classes.replaceChildren(...(answer === null ? [] : bars(answer)));
  classes.hidden = !classes.childElementCount;
  setStale(true);
  clearTimeout(later);
  clearTimeout(spoken);
  later = setTimeout(() => {
    const begun = performance.now();
    explain(answer);
    took = performance.now() - begun;
    setStale(false);
  }, Math.min(30 + 2 * took, 400));  // a slider that is being moved does not wait for reasons
  spoken = setTimeout(() => { status.textContent = sentence(answer, settings); }, 250);
}

/** Say whether reasons and flips are still those of other settings: then no flip can be tried. */
function setStale(stale) {
  flips.inert = stale;
  for (const list of [reasons, flips]) list.classList.toggle("wi-stale", stale);
}

function explain(answer) {
  const why = answer === null ? [] : reasonsFor(model, settings, answer);
  const top = (why ?? []).slice(0, MOST_REASONS), largest = top.length ? Math.abs(top[0].effect) : 1;
  reasons.replaceChildren(...top.map(({ attribute, effect }) =>
    reasonItem(model.attributes[attribute], settings[attribute], effect, largest)));
  reasonsNote.textContent = answer === null ? "" : reasonsWords(why, model.classes[answer.label]);
  const others = answer === null ? [] : flipsOf(model, settings, answer);
  const apply = ({ attribute, value }) => {
    set(attribute, value);
    fields[attribute].element.querySelector("input, select").focus();
  };
  flips.replaceChildren(...(others ?? []).slice(0, MOST_FLIPS).map((flip) =>
    flipItem(model.attributes[flip.attribute], settings[flip.attribute], flip, apply)));
  flipsNote.textContent = answer === null ? "" : flipsWords(others, answer.unknown > 0);
}

function reasonsWords(why, label) {
  if (why === null) return "With so many unknown values the reasons would take too long to compute.";
  if (!why.length) return "No value differs from the usual one in a way that matters.";
  let effect = `what it adds to the lead of ${label}`;
  if (model.probability) effect = `× 2 doubles the odds of ${label}, ÷ 2 halves them`;
  return `Each value beside its usual one, the others as they are: ${effect}.`;
}

function flipsWords(others, incomplete) {
  if (others === null && incomplete) return "Set the unknown values to see which changes would give another answer.";
  if (others === null) return "The model is too large to look for other answers in the page.";
  if (!others.length) return "No change of one value, within what training had, gives another answer.";
  return "Changes of one value alone, within what training had.";
}

function controls() {
  const fieldset = make("fieldset", { class: "wi-controls" }, make("legend", {}, "Values"));
  const kinds = { number: numberField, choice: choiceField, date: dateField };
  fields = model.attributes.map((one, a) =>
    kinds[one.kind](one, `whatif-${a}`, (value, typed) => set(a, value, typed)));
  const list = make("div", { class: "wi-fields", id: "whatif-fields" }, ...fields.map((one) => one.element));
  const hide = (all) => fields.forEach((one, a) => { one.element.hidden = !all && a >= FEW; });
  const buttons = make("div", { class: "wi-buttons" });
  const button = (text, act) => {
    const made = make("button", { type: "button" }, text);
    made.addEventListener("click", () => act(made));
    buttons.append(made);
    return made;
  };
  if (fields.length > FEW) {
    const words = (all) => (all ? `show the ${FEW} most important` : `show all ${fields.length}`);
    const more = button(words(false), () => {
      const all = more.getAttribute("aria-expanded") !== "true";
      more.setAttribute("aria-expanded", String(all));
      more.textContent = words(all);
      hide(all);
    });
    more.setAttribute("aria-expanded", "false");
    more.setAttribute("aria-controls", "whatif-fields");
  }
  hide(false);
  const begin = (k) => {
    start = k;
    origin.textContent = `Started from: ${model.names[k]}.`;
    setAll(model.starts[k]);
  };
  button("reset", () => begin(start));
  if (model.starts.length > 1) button("another row", () => begin((start + 1) % model.starts.length));
  fieldset.append(list, buttons, origin);
  return { fieldset, begin };
}

const { fieldset, begin } = controls();
const head = (text) => make("h3", {}, text);
const said = make("div", { class: "wi-said" },
  make("div", { class: "wi-answer" }, make("p", { class: "wi-small" }, model.target ?? "answer"), headline, classes),
  make("div", { class: "wi-why" }, status, head("Why"), reasons, reasonsNote,
    head("Nearest other answers"), flips, flipsNote));
const name = "What if: change values and see the answer";
place.append(make("div", { class: "wi-panel", role: "group", "aria-label": name }, fieldset, said));
begin(0);

// The same functions that the fields use, for tests and for curious readers.
window.netlinesWhatif = {
  names: model.attributes.map((one) => one.name),
  attributes: model.attributes,
  classes: model.classes,
  get settings() { return settings.slice(); },
  predict: (values) => {
    const found = answerTo(model, values);
    return found && { label: model.classes[found.label], p: found.p, shares: found.shares };
  },
  reasons: (values) => reasonsFor(model, values, answerTo(model, values)),
  flips: (values) => flipsOf(model, values, answerTo(model, values)),
};
