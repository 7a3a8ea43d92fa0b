// The public site in the browser: binds the buttons; the contact form's code follows when somebody comes near it.
import { keepDraft } from '#web/features/contact/native-form.ts';
import { markMissingFiles } from '#web/lib/errors/missing-file.ts';
import { appAddress } from './arrivals.ts';
import { bindActions } from './behaviour.ts';
import { loadFormWhenNear } from './lazy-form.ts';
import './site.css';

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
