/** @param link a path of the app, with its search @returns what a router link takes */
export function placeOfLink(link: string): { to: string; search: Record<string, string> } {
  const { pathname, searchParams } = new URL(link, location.origin);
  return { to: pathname, search: Object.fromEntries(searchParams) };
}
