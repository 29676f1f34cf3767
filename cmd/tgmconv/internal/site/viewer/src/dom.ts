// Elements of the page. Texts of files become text, and never markup.

type Props = Record<string, string | number | boolean | ((e: any) => void) | undefined>;

/** Makes an element. Properties that are functions become listeners, other properties attributes. */
export function h<K extends keyof HTMLElementTagNameMap>(tag: K, props: Props = {}, ...children: (Node | string | undefined)[]): HTMLElementTagNameMap[K] {
  const e = document.createElement(tag);
  set(e, props);
  for (const c of children) if (c !== undefined) e.append(c);
  return e;
}

export function svg(tag: string, props: Props = {}, ...children: (Node | string)[]): SVGElement {
  const e = document.createElementNS("http://www.w3.org/2000/svg", tag);
  set(e, props);
  e.append(...children);
  return e;
}

function set(e: Element, props: Props): void {
  for (const [key, value] of Object.entries(props)) {
    if (typeof value === "function") e.addEventListener(key, value);
    else if (value === true) e.setAttribute(key, "");
    else if (value !== undefined && value !== false) e.setAttribute(key, String(value));
  }
}

const icons: Record<string, string> = {
  play: "M7 5v14l11-7z", pause: "M7 5h3.5v14H7zM13.5 5H17v14h-3.5z", back: "M15 5l-8 7 8 7z", on: "M9 5l8 7-8 7z",
  plus: "M11 5h2v6h6v2h-6v6h-2v-6H5v-2h6z", minus: "M5 11h14v2H5z",
  fit: "M4 4h6v2H6v4H4zm10 0h6v6h-2V6h-4zM4 14h2v4h4v2H4zm14 0h2v6h-6v-2h4z",
  globe: "M12 2a10 10 0 100 20 10 10 0 000-20zm7.4 9h-3a15 15 0 00-1.3-5.7A8 8 0 0119.400 11zM12 4.100c.9 1.300 2 3.600 2.400 6.900H9.600C10 7.700 11.100 5.400 12 4.100zM8.900 5.300A15 15 0 007.600 11h-3a8 8 0 014.300-5.700zM4.600 13h3a15 15 0 001.300 5.700A8 8 0 014.600 13zm5 0h4.800c-.4 3.300-1.500 5.600-2.400 6.900-.9-1.300-2-3.600-2.400-6.900zm5.500 5.700a15 15 0 001.300-5.700h3a8 8 0 01-4.300 5.700z",
  flat: "M3 5h18v14H3zm2 2v4h6V7zm8 0v4h6V7zm-8 6v4h6v-4zm8 0v4h6v-4z",
  image: "M4 5h16v14H4zm2 2v8l3.500-4 2.500 3 3-4 3 4V7z", code: "M9 7l-5 5 5 5 1.400-1.400L6.800 12l3.600-3.600zm6 0l-1.400 1.400 3.600 3.600-3.600 3.600L15 17l5-5z",
  box: "M4 4h4v2H6v2H4zm12 0h4v4h-2V6h-2zM4 16h2v2h2v2H4zm14 0h2v4h-4v-2h2zM10 4h4v2h-4zm0 14h4v2h-4zM4 10h2v4H4zm14 0h2v4h-2z",
  two: "M4 5h7v14H4zm2 2v10h3V7zm7-2h7v14h-7z",
  close: "M6.400 5L5 6.400 10.600 12 5 17.600 6.400 19l5.600-5.600 5.600 5.600 1.400-1.400-5.600-5.600L19 6.400 17.600 5 12 10.600z",
  menu: "M4 6h16v2H4zm0 5h16v2H4zm0 5h16v2H4z", help: "M11 16h2v2h-2zm1-11a4 4 0 00-4 4h2a2 2 0 114 0c0 2-3 1.800-3 5h2c0-2.300 3-2.500 3-5a4 4 0 00-4-4z",
};

export function icon(name: string): SVGElement {
  return svg("svg", { viewBox: "0 0 24 24", width: 18, height: 18, "aria-hidden": "true" }, svg("path", { d: icons[name], fill: "currentColor" }));
}

/** A button with an icon, and a text for people who do not see the icon. */
export function button(name: string, title: string, press: () => void): HTMLButtonElement {
  return h("button", { type: "button", title, "aria-label": title, click: press }, icon(name));
}

/** Lets the reader save a file. */
export function download(name: string, blob: Blob): void {
  const address = URL.createObjectURL(blob);
  h("a", { href: address, download: name.replace(/[^\w.+-]+/g, "_") }).click();
  setTimeout(() => URL.revokeObjectURL(address), 10000);
}
