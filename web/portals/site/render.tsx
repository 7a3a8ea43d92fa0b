// Renders the public site to HTML: the landing page in the build (scripts/build-web.mjs), responses to posted forms on the server.
import { renderToStaticMarkup, renderToString } from 'react-dom/server';
import type { ContactOutcome } from '#shared/contact-message.ts';
import { ContactForm } from '#web/features/clients/contact/contact-form.tsx';
import { ContactAnswer } from './contact-answer.tsx';
import { SitePage } from './page.tsx';

export { guidePage } from './guide-page.ts';
export { answerHead, siteHead } from './head.ts';
export { appManifest, kioskManifest, siteManifest } from './manifests.ts';

const FORM_ROOT = '<div id="contact-form-root"></div>';

/**
 * The page's body. The form is a separate React root, so that only its code is sent to the browser.
 * @throws if the page has no element for the form
 */
export function sitePage(): string {
  const page = renderToStaticMarkup(<SitePage />);
  if (!page.includes(FORM_ROOT)) throw new Error('The landing page has no #contact-form-root.');
  const form = renderToString(<ContactForm />);
  return page.replace(FORM_ROOT, () => `<div id="contact-form-root">${form}</div>`);
}

/** The body of the response to a form posted without JavaScript. */
export function contactAnswer(outcome: ContactOutcome): string {
  return renderToStaticMarkup(<ContactAnswer outcome={outcome} />);
}
