/** A name that opens a page: 44 px for a finger; the negative margin keeps the line as high as text. */
export const NAME_LINK =
  'relative -my-2.5 inline-flex min-h-11 min-w-11 items-center underline decoration-accent/35 underline-offset-4 hover:decoration-accent print:no-underline';
