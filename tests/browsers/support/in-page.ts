// Functions that run in the page: each is sent as its source, so it uses nothing outside itself.

export type Target = {
  role: string;
  /** The whole accessible name, or a pattern in it. */
  name?: string | RegExp;
  /** Which of several, from 0. */
  nth?: number;
};

export type SentTarget = { role: string; name?: string; pattern?: string; nth?: number };

export type Found = { x: number; y: number; text: string };

/**
 * @returns the first element that is shown, does not move and can be pressed, scrolled into view; or why there is none.
 * `isText`: hidden parts and what lies on top don't matter
 */
export async function find(
  { role, name, pattern, nth = 0 }: SentTarget,
  isText: boolean,
): Promise<Found | string> {
  const tags: Record<string, string> = {
    button: 'button,summary',
    link: 'a[href]',
    heading: 'h1,h2,h3,h4',
    textbox: 'input:not([type=checkbox],[type=radio],[type=file]),textarea',
    combobox: 'select,[aria-haspopup=listbox]',
    radio: 'input[type=radio]',
    checkbox: 'input[type=checkbox]',
    file: 'input[type=file]',
    dialog: 'dialog',
    region: 'section[aria-label],section[aria-labelledby]',
    list: 'ul,ol',
    listitem: 'li',
    main: 'main',
    table: 'table',
    text: 'body *',
  };
  const squeezed = (text: string) => text.replace(/\s+/g, ' ').trim();
  const textOf = (node: Node): string => {
    if (node.nodeType === Node.TEXT_NODE) return node.nodeValue ?? '';
    if (!(node instanceof Element) || node.getAttribute('aria-hidden') === 'true') return '';
    if (getComputedStyle(node).display === 'none') return '';
    const label = node.getAttribute('aria-label') ?? node.getAttribute('alt');
    if (label !== null) return label;
    const parts = [...node.childNodes].map(textOf).join('');
    return getComputedStyle(node).display.startsWith('inline') ? parts : ` ${parts} `;
  };
  const nameOf = (element: Element) => {
    const labelledBy = element.getAttribute('aria-labelledby');
    if (labelledBy) {
      const parts = labelledBy.split(/\s+/).map((id) => document.getElementById(id));
      return squeezed(parts.map((part) => (part ? textOf(part) : '')).join(' '));
    }
    const own = element.getAttribute('aria-label');
    if (own !== null) return squeezed(own);
    if ('labels' in element && element.labels instanceof NodeList && element.labels.length > 0)
      return squeezed([...element.labels].map(textOf).join(' '));
    return squeezed(textOf(element));
  };
  const isNamed = (element: Element) => {
    // Names by their parts would take seconds for every element of a page.
    const own = role === 'text' ? squeezed(element.textContent ?? '') : nameOf(element);
    if (pattern !== undefined) return new RegExp(pattern).test(own);
    return name === undefined || own === name;
  };
  const isShown = (element: Element) => {
    const { width, height } = element.getBoundingClientRect();
    return width > 0 && height > 0 && getComputedStyle(element).visibility === 'visible';
  };
  const selector = `${tags[role] ? `${tags[role]},` : ''}[role=${role}]`;
  const candidates = [...document.querySelectorAll(selector)].filter(
    (element) => [null, role].includes(element.getAttribute('role')) || role === 'text',
  );
  const named = candidates.filter(isNamed).filter((element) => isText || isShown(element));
  const shown = named.filter(isShown);
  // The innermost, if their text is the same.
  const element = role === 'text' ? shown.at(-1) : shown[nth];
  if (!element) {
    const others = candidates.filter(isShown).map(nameOf).slice(0, 40).join(' | ');
    return role === 'text' ? 'is not shown' : `is not shown; there are: ${others}`;
  }
  const text = squeezed(textOf(element));
  if (isText) return { x: 0, y: 0, text };
  if (element.matches(':disabled')) return 'is disabled';
  const nextFrame = () => new Promise((resolve) => requestAnimationFrame(resolve));
  element.scrollIntoView({ block: 'center', inline: 'nearest', behavior: 'instant' });
  const before = element.getBoundingClientRect();
  await nextFrame();
  await nextFrame();
  const { left, top, width, height } = element.getBoundingClientRect();
  if (before.left !== left || before.top !== top) return 'moves';
  const x = Math.round(left + width / 2);
  const y = Math.round(top + height / 2);
  const hit = document.elementFromPoint(x, y);
  const labels =
    'labels' in element && element.labels instanceof NodeList ? [...element.labels] : [];
  const isHit = [element, ...labels].some((part) => part.contains(hit));
  return isHit ? { x, y, text } : `is covered by ${hit?.outerHTML.slice(0, 120)}`;
}

/** @returns what is wider than the viewport */
export function tooWide(): string[] {
  const limit = document.documentElement.clientWidth;
  if (document.documentElement.scrollWidth <= limit) return [];
  const wide = [...document.querySelectorAll('body *')]
    .filter((element) => element.getBoundingClientRect().right > limit + 1)
    .map((element) => element.outerHTML.slice(0, 100));
  return ['html', ...wide.slice(0, 5)];
}

/** Records errors from now on: messages of the console, and what nothing has caught. */
export function recordErrors(): void {
  const found: string[] = [];
  Object.assign(window, { recordedErrors: found });
  const { error } = console;
  console.error = (...parts: unknown[]) => {
    found.push(parts.map(String).join(' '));
    error(...parts);
  };
  addEventListener('error', ({ message }) => found.push(`Uncaught: ${message}`));
  addEventListener('unhandledrejection', ({ reason }) =>
    // WebKit's stacks are without the message.
    found.push(`Uncaught: ${reason instanceof Error ? `${reason} ${reason.stack}` : reason}`),
  );
}

/** MiniBrowser asks for the position in a bar that WebDriver can't press, so the page gets one at once. */
export function givePosition(): void {
  const coords = { latitude: 6.30001, longitude: -10.80002, accuracy: 12 };
  const answer = (found: (position: object) => void) => {
    found({ coords, timestamp: Date.now() });
    return 1;
  };
  const geolocation = {
    getCurrentPosition: answer,
    watchPosition: answer,
    clearWatch: () => undefined,
  };
  Object.defineProperty(navigator, 'geolocation', { value: geolocation });
}
