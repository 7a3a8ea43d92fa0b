// Renders the landing page to HTML; run at build by scripts/build-web.mjs.
import { renderToStaticMarkup, renderToString } from 'react-dom/server';
import { ContactForm } from '#web/features/contact/components/contact-form.tsx';
import { SitePage } from './page.tsx';

export { company } from '#company';
export { siteHead, siteManifest } from './head.ts';

const FORM_ROOT = '<div id="contact-form-root"></div>';

/**
 * The page's body. The form is a React root of its own, so that only its code is sent to the browser.
 * @throws if the page has no place for the form
 */
export function sitePage(): string {
  const page = renderToStaticMarkup(<SitePage />);
  if (!page.includes(FORM_ROOT)) throw new Error('The landing page has no #contact-form-root.');
  const form = renderToString(<ContactForm />);
  return page.replace(FORM_ROOT, () => `<div id="contact-form-root">${form}</div>`);
}
