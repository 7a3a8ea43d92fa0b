export const ITEM = 'flex min-h-11 items-start gap-3 px-4 py-3 sm:px-5';
export const ITEM_LINK = `${ITEM} hover:bg-sunken focus-visible:-outline-offset-2`;
