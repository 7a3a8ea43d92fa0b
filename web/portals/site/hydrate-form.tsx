// Brings the static contact form to life. Loaded when somebody comes near it: React is larger than the rest of the page.
import { createRoot, hydrateRoot } from 'react-dom/client';
import { ContactForm } from '#web/features/contact/contact-form.tsx';

/** Fulfilled when the form listens. What was typed before stays in it. */
export function hydrateForm(root: HTMLElement): Promise<void> {
  return new Promise((onReady) => {
    const form = <ContactForm onReady={onReady} />;
    // In development the page is not rendered beforehand.
    if (root.hasChildNodes()) hydrateRoot(root, form);
    else createRoot(root).render(form);
  });
}
