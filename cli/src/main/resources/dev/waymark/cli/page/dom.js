// Elements of the page. Text goes in as text only, never as markup.

export function element(name, attributes = {}) {
  const made = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
  return made;
}

/** Touches the page only where something changes, so that selections and screen readers stay calm. */
export function setText(place, text) {
  if (place.textContent !== text) place.textContent = text;
}
