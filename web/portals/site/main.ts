// The public site in the browser: binds the buttons, and loads the contact form's code when a visitor comes near it.
import { keepDraft } from '#web/features/clients/contact/native-form.ts';
import { markMissingFiles } from '#web/lib/errors/missing-file.ts';
import { loadFormWhenNear } from './lazy-form.ts';
import './site.css';

const LINK_PARAMETERS = /[#&?](access_token|error|error_code|error_description|message)=/;

/** Mail links without a screen lead to this page, which knows no sessions. @returns the app's URL for such a link */
function appAddress({ search, hash }: { search: string; hash: string }): string | undefined {
  return LINK_PARAMETERS.test(hash) || /[?&](error|error_code)=/.test(search)
    ? `/auth${search}${hash}`
    : undefined;
}

const reducedMotion = matchMedia('(prefers-reduced-motion: reduce)');

function scrollTo(target: Element): void {
  target.scrollIntoView({ behavior: reducedMotion.matches ? 'auto' : 'smooth', block: 'start' });
}

function requestProtection(): void {
  const form = document.getElementById('contact-form');
  if (form) scrollTo(form);
  form?.querySelector<HTMLInputElement>('input[name="name"]')?.focus({ preventScroll: true });
}

function ourServices(): void {
  const services = document.getElementById('services');
  if (services) scrollTo(services);
}

const ACTIONS = { 'request-protection': requestProtection, 'our-services': ourServices };

/** Binds the actions to the elements with a matching data-action. */
function bindActions(root: ParentNode): void {
  for (const [name, run] of Object.entries(ACTIONS)) {
    for (const element of root.querySelectorAll<HTMLElement>(`[data-action="${name}"]`)) {
      element.addEventListener('click', (event) => {
        event.preventDefault();
        run();
      });
      // Unlike an anchor, a button responds to the space bar.
      element.addEventListener('keydown', (event) => {
        if (event.key !== ' ') return;
        event.preventDefault();
        run();
      });
    }
  }
}

const appUrl = appAddress(location);
if (appUrl) location.replace(appUrl);

if (import.meta.env.DEV) {
  // In development the page is not prerendered; the build drops this block.
  const { renderSite } = await import('./dev.tsx');
  renderSite();
}

const formRoot = document.getElementById('contact-form-root');
if (!formRoot) throw new Error('The page has no #contact-form-root.');
markMissingFiles();
keepDraft(formRoot);
loadFormWhenNear(formRoot);
bindActions(document);
