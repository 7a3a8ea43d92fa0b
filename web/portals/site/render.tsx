// Renders the public site to HTML: the landing page at build (scripts/build-web.mjs), answers to posted forms by the server.
import { renderToStaticMarkup, renderToString } from 'react-dom/server';
import type { ContactOutcome } from '#shared/contact-message.ts';
import { ContactForm } from '#web/features/contact/contact-form.tsx';
import { ContactAnswer } from './contact-answer.tsx';
import { SitePage } from './page.tsx';

export { answerHead, siteHead } from './head.ts';
export { appManifest, siteManifest } from './manifests.ts';

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

/** The body of the answer to a form that was posted without JavaScript. */
export function contactAnswer(outcome: ContactOutcome): string {
  return renderToStaticMarkup(<ContactAnswer outcome={outcome} />);
}
