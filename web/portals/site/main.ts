// A link of a mail that names no screen leads to the site's front page, which knows nothing of sessions: on to the app.
// What the hero's two buttons do beyond following their link.
// The public site in the browser: binds the buttons; the contact form's code follows when somebody comes near it.
import { keepDraft } from '#web/features/contact/native-form.ts';
import { markMissingFiles } from '#web/lib/errors/missing-file.ts';
import { loadFormWhenNear } from './lazy-form.ts';
import './site.css';

const MARKS = /[#&?](access_token|error|error_code|error_description|message)=/;

/** @returns the address of the app that goes on with it; undefined for every other visitor */
export function appAddress({ search, hash }: { search: string; hash: string }): string | undefined {
  return MARKS.test(hash) || /[?&](error|error_code)=/.test(search)
    ? `/auth${search}${hash}`
    : undefined;
}

const calm = matchMedia('(prefers-reduced-motion: reduce)');

function scrollTo(target: Element): void {
  target.scrollIntoView({ behavior: calm.matches ? 'auto' : 'smooth', block: 'start' });
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

/** Binds the actions to every element with the matching data-action. */
export function bindActions(root: ParentNode): void {
  for (const [name, run] of Object.entries(ACTIONS)) {
    for (const element of root.querySelectorAll<HTMLElement>(`[data-action="${name}"]`)) {
      element.addEventListener('click', (event) => {
        event.preventDefault();
        run();
      });
      // A button answers to the space bar; an anchor alone would not.
      element.addEventListener('keydown', (event) => {
        if (event.key !== ' ') return;
        event.preventDefault();
        run();
      });
    }
  }
}

const elsewhere = appAddress(location);
if (elsewhere) location.replace(elsewhere);

if (import.meta.env.DEV) {
  // In development the page is not rendered beforehand; a build contains none of this.
  const { renderSite } = await import('./dev.tsx');
  renderSite();
}

const formRoot = document.getElementById('contact-form-root');
if (!formRoot) throw new Error('The page has no #contact-form-root.');
markMissingFiles();
keepDraft(formRoot);
loadFormWhenNear(formRoot);
bindActions(document);
