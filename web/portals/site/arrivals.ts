// A link of a mail that names no screen leads to the site's front page, which knows nothing of sessions: on to the app.

const MARKS = /[#&?](access_token|error|error_code|error_description|message)=/;

/** @returns the address of the app that goes on with it; undefined for every other visitor */
export function appAddress({ search, hash }: { search: string; hash: string }): string | undefined {
  return MARKS.test(hash) || /[?&](error|error_code)=/.test(search)
    ? `/auth${search}${hash}`
    : undefined;
}
