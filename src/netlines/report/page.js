// Nothing here is needed to read the page: it marks where the reader is and which boxes can be scrolled.
(() => {
  const contents = document.querySelector("nav.contents details");
  const narrow = matchMedia("(max-width: 64rem)");
  const fold = () => { contents.open = !narrow.matches; };
  fold();
  narrow.addEventListener("change", fold);

  const links = new Map(), seen = new Set();
  const observer = new IntersectionObserver((changes) => {
    for (const { target, isIntersecting } of changes) seen[isIntersecting ? "add" : "delete"](target.id);
    const first = [...links.keys()].find((name) => seen.has(name));
    for (const [name, link] of links) {
      if (name === first) link.setAttribute("aria-current", "true");
      else link.removeAttribute("aria-current");
    }
  }, { rootMargin: "-8% 0px -60% 0px" });
  for (const link of contents.querySelectorAll("a")) {
    const name = link.getAttribute("href").slice(1);
    links.set(name, link);
    link.addEventListener("click", fold);
    observer.observe(document.getElementById(name));
  }

  const boxes = [...document.querySelectorAll(".scroll")];
  const hint = (box) => {
    const more = box.scrollWidth > box.clientWidth + 1;
    if (box.classList.toggle("more", more)) box.setAttribute("tabindex", "0");
    else box.removeAttribute("tabindex");
  };
  const sizes = new ResizeObserver((changes) => changes.forEach(({ target }) => hint(target)));
  boxes.forEach((box) => sizes.observe(box));
  document.addEventListener("toggle", () => boxes.forEach(hint), true);
  document.addEventListener("change", () => boxes.forEach(hint));
})();
