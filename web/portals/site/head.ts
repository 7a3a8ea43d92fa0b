// The <head> for search engines, link previews and browsers.
import { company } from '#company';
import { SITE_ADDRESS } from '#shared/site-address.ts';
import { services } from './sections/services.tsx';

const escapeText = (text: string) =>
  text.replace(/&/g, '&amp;').replace(/</g, '&lt;').replace(/"/g, '&quot;');

/** schema.org data; `<` is escaped so that no text can end the script element. */
function structuredData(siteUrl: string): string {
  return JSON.stringify({
    '@context': 'https://schema.org',
    '@type': ['LocalBusiness', 'SecurityService'],
    name: company.name,
    slogan: company.tagline,
    url: `${siteUrl}/`,
    image: `${siteUrl}/social-card.png`,
    logo: `${siteUrl}/touch-icon.png`,
    telephone: company.hotline,
    email: company.email,
    address: {
      '@type': 'PostalAddress',
      streetAddress: company.addressLabel,
      addressLocality: 'Monrovia',
      addressCountry: 'LR',
    },
    areaServed: { '@type': 'Country', name: 'Liberia' },
    openingHoursSpecification: {
      '@type': 'OpeningHoursSpecification',
      dayOfWeek: ['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday', 'Sunday'],
      opens: '00:00',
      closes: '23:59',
    },
    makesOffer: services.map(({ name, description }) => ({
      '@type': 'Offer',
      itemOffered: { '@type': 'Service', name, description },
    })),
  }).replace(/</g, '\\u003c');
}

/**
 * The head's elements as HTML, with a placeholder for the site's public URL.
 * @param displayFont path of the headline font, preloaded because the styles reference it late
 */
export function siteHead(displayFont: string): string {
  const siteUrl = SITE_ADDRESS;
  const title = `${company.name} | ${company.tagline}`;
  const description = `${company.headline}: trained guards, VIP escorts, event security, CCTV, patrols and rapid response, 24 hours a day. Hotline ${company.hotline}.`;
  const meta = (key: 'name' | 'property', name: string, content: string) =>
    `<meta ${key}="${name}" content="${escapeText(content)}">`;
  return [
    `<title>${escapeText(title)}</title>`,
    meta('name', 'description', description),
    `<link rel="preload" href="${escapeText(displayFont)}" as="font" type="font/woff2" crossorigin>`,
    `<link rel="canonical" href="${escapeText(siteUrl)}/">`,
    meta('property', 'og:type', 'website'),
    meta('property', 'og:site_name', company.name),
    meta('property', 'og:title', title),
    meta('property', 'og:description', description),
    meta('property', 'og:url', `${siteUrl}/`),
    meta('property', 'og:image', `${siteUrl}/social-card.png`),
    meta('property', 'og:image:width', '1200'),
    meta('property', 'og:image:height', '630'),
    meta('property', 'og:image:alt', `${company.name}: ${company.headline}`),
    meta('name', 'twitter:card', 'summary_large_image'),
    `<script type="application/ld+json">${structuredData(siteUrl)}</script>`,
  ].join('\n    ');
}

/** The head of the page that answers a posted form. */
export function answerHead(): string {
  return `<title>${escapeText(`Get In Touch | ${company.name}`)}</title>\n    <meta name="robots" content="noindex">`;
}
