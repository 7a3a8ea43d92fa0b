/** A name, of one or more lines, that opens a page: 44 px for a finger; the negative margin keeps the line as high as text. */
export const PAGE_LINK =
  'relative -my-2.5 inline-block min-h-11 min-w-11 py-2.5 underline decoration-accent/35 underline-offset-4 hover:decoration-accent print:no-underline';
