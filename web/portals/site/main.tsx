// The public site in the browser: binds the buttons and brings the contact form to life.
import { createRoot, hydrateRoot } from 'react-dom/client';
import { ContactForm } from '#web/features/contact/components/contact-form.tsx';
import { appAddress } from './arrivals.ts';
import { bindActions } from './behaviour.ts';
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
if (formRoot.hasChildNodes()) hydrateRoot(formRoot, <ContactForm />);
else createRoot(formRoot).render(<ContactForm />);

bindActions(document);
