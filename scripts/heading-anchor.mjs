/**
 * The anchor that GitHub gives a heading; the built guide has the same.
 * @param {string} heading Markdown
 */
export const anchorOf = (heading) =>
  heading
    .toLowerCase()
    .replace(/\[([^\]]*)\]\([^)]*\)/g, '$1')
    .replace(/[^\p{L}\p{N}\s_-]/gu, '')
    .replaceAll(' ', '-');
