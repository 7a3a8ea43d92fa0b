// Placeholder for the public address in pages built before it is known; the server replaces it.
export const SITE_ADDRESS = 'https://address.invalid';
