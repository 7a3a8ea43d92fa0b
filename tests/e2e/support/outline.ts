// What a picture of a screen was made from, without what differs from day to day: words, fonts, colours and spacing of parts that
// are on the screen whatever its data are.
import type { Locator } from '@playwright/test';

export type Outline = {
  /** Without numbers. */
  words: string;
  /** Each look that an element of the part has, once. */
  looks: string[];
};

/** Runs in the page. */
function readOutline(part: Element): Outline {
  const context = document.createElement('canvas').getContext('2d', { willReadFrequently: true });
  /** Browsers write the same colour in several ways. */
  const colour = (value: string) => {
    if (!context) return value;
    context.clearRect(0, 0, 1, 1);
    context.fillStyle = value;
    context.fillRect(0, 0, 1, 1);
    return [...context.getImageData(0, 0, 1, 1).data].join(',');
  };
  const isShown = (element: Element) => element.checkVisibility();
  const elements = [part, ...part.querySelectorAll('*:not(svg *)')].filter(isShown);
  const looks = elements.map((element) => {
    const style = getComputedStyle(element);
    return [
      element.tagName.toLowerCase(),
      `${style.fontWeight} ${style.fontSize} ${style.fontFamily.split(',')[0]}`,
      `on ${colour(style.backgroundColor)} in ${colour(style.color)}`,
      `padding ${style.padding} radius ${style.borderRadius} border ${style.borderWidth}`,
    ].join('; ');
  });
  const texts = elements.flatMap(({ childNodes }) =>
    [...childNodes].map((node) =>
      node.nodeType === Node.TEXT_NODE ? (node.textContent ?? '') : '',
    ),
  );
  return {
    words: texts.join(' ').replace(/\d+/g, '').replace(/\s+/g, ' ').trim(),
    looks: [...new Set(looks)].sort(),
  };
}

/** @param parts elements that every user of any day has on this screen @returns their outlines, by the same names */
export async function outlineOf(parts: Record<string, Locator>): Promise<Record<string, Outline>> {
  const outlines: Record<string, Outline> = {};
  for (const [name, part] of Object.entries(parts)) {
    await part.waitFor();
    outlines[name] = await part.evaluate(readOutline);
  }
  return outlines;
}
