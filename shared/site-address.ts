// Stands for the site's public address in pages that are built before the address is known; the server fills it in.
export const SITE_ADDRESS = 'https://address.invalid';
