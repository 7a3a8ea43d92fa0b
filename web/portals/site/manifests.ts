// The web app manifests of the public site and the app.
import { company } from '#company';

const NIGHT = '#081120';
const look = { background_color: NIGHT, theme_color: NIGHT };

export function siteManifest(): string {
  return JSON.stringify({
    name: company.name,
    short_name: company.shortName,
    description: company.tagline,
    start_url: '/',
    display: 'browser',
    ...look,
    icons: [
      { src: '/favicon.svg', sizes: 'any', type: 'image/svg+xml' },
      { src: '/touch-icon.png', sizes: '180x180', type: 'image/png' },
    ],
  });
}

const icons = [
  { src: '/icon-192.png', sizes: '192x192', type: 'image/png' },
  { src: '/icon-512.png', sizes: '512x512', type: 'image/png' },
  { src: '/icon-maskable-512.png', sizes: '512x512', type: 'image/png', purpose: 'maskable' },
];

/** Shared devices at sites. */
export function kioskManifest(): string {
  return JSON.stringify({
    id: '/kiosk',
    name: `${company.shortName} Clock`,
    short_name: 'Clock',
    description: `Clock-in and clock-out at a site of ${company.name}.`,
    lang: 'en',
    start_url: '/kiosk',
    scope: '/kiosk',
    display: 'fullscreen',
    ...look,
    icons,
  });
}

/** The installed app opens the staff portal. The build renders its icons (scripts/build-offline.mjs). */
export function appManifest(): string {
  return JSON.stringify({
    id: '/staff',
    name: `${company.shortName} Staff`,
    short_name: company.shortName,
    description: `Shifts, clock-in and incident reports for the staff of ${company.name}.`,
    lang: 'en',
    start_url: '/staff',
    scope: '/',
    display: 'standalone',
    ...look,
    icons,
  });
}
