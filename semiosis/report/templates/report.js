"use strict";
// Shows the entries that match every filter. Without this script the whole list is shown.
const form = document.getElementById("filters");
const found = document.getElementById("found");
const entries = [...document.querySelectorAll(".entry")].map((element) => ({
  element,
  text: element.textContent.toLowerCase(),
  generators: element.dataset.generators.split("\n"),
  tradition: element.dataset.tradition,
  flags: element.dataset.flags.split(" "),
}));

const apply = () => {
  const asked = new FormData(form);
  const text = asked.get("text").trim().toLowerCase();
  const generator = asked.get("generator");
  const tradition = asked.get("tradition");
  const flags = asked.getAll("flag");
  let shown = 0;
  for (const entry of entries) {
    const matches =
      entry.text.includes(text) &&
      (!generator || entry.generators.includes(generator)) &&
      (!tradition || entry.tradition === tradition) &&
      flags.every((flag) => entry.flags.includes(flag));
    entry.element.hidden = !matches;
    shown += matches;
  }
  found.textContent = `${shown} of ${entries.length} comparisons`;
};

form.hidden = false;
form.addEventListener("input", apply);
form.addEventListener("submit", (event) => event.preventDefault());
apply();
