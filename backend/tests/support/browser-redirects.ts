// A virtual browser: follows redirects across sites with a cookie jar per site.

const STEPS = 15;

/**
 * Opens the URL and follows redirects until one starts with `end`.
 * @returns the URL in the address bar
 */
export async function browse(start: string, end: string): Promise<URL> {
  const cookies = new Map<string, Map<string, string>>();
  let address = start;
  for (let step = 0; step < STEPS; step += 1) {
    const { origin } = new URL(address);
    const jar = cookies.get(origin) ?? new Map<string, string>();
    cookies.set(origin, jar);
    const response = await fetch(address, {
      redirect: 'manual',
      headers: { cookie: [...jar].map(([name, value]) => `${name}=${value}`).join('; ') },
    });
    for (const cookie of response.headers.getSetCookie()) {
      const [, name, value] = /^([^=]+)=([^;]*)/.exec(cookie) ?? [];
      if (name !== undefined) jar.set(name, value ?? '');
    }
    const location = response.headers.get('location');
    if (location === null) {
      throw new Error(`${address} returned ${response.status}: ${await response.text()}`);
    }
    address = new URL(location, address).href;
    if (address.startsWith(end)) return new URL(address);
  }
  throw new Error(`No end after ${STEPS} redirects.`);
}

/** @returns the redirect target of one request, without following it */
export async function redirectOf(address: string, init: RequestInit = {}): Promise<URL> {
  const response = await fetch(address, { ...init, redirect: 'manual' });
  const location = response.headers.get('location');
  if (location === null) throw new Error(`${response.status}: ${await response.text()}`);
  return new URL(location);
}

/** The parameters in a URL's fragment. */
export function fragmentOf(address: URL): Record<string, string> {
  return Object.fromEntries(new URLSearchParams(address.hash.slice(1)));
}
