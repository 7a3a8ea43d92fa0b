// A browser without a screen: follows redirects from one site to the next, and keeps each one's cookies.

const STEPS = 15;

/**
 * Opens the address and follows redirects until one leads to `end` (an address's beginning).
 * @returns the address that the browser would show
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
      throw new Error(`${address} answered ${response.status}: ${await response.text()}`);
    }
    address = new URL(location, address).href;
    if (address.startsWith(end)) return new URL(address);
  }
  throw new Error(`No end after ${STEPS} redirects.`);
}

/** @returns where one request is redirected to; the redirect is not followed */
export async function redirectOf(address: string, init: RequestInit = {}): Promise<URL> {
  const response = await fetch(address, { ...init, redirect: 'manual' });
  const location = response.headers.get('location');
  if (location === null) throw new Error(`${response.status}: ${await response.text()}`);
  return new URL(location);
}

/** What an address tells the app, in its fragment. */
export function fragmentOf(address: URL): Record<string, string> {
  return Object.fromEntries(new URLSearchParams(address.hash.slice(1)));
}
