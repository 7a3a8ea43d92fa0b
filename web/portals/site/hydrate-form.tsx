// Loaded when a visitor comes near the form: React is larger than the rest of the page.
import { createRoot, hydrateRoot } from 'react-dom/client';
import { ContactForm } from '#web/features/clients/contact/contact-form.tsx';

/** Hydrates the static contact form, keeping what was typed. Resolves when it handles events. */
export function hydrateForm(root: HTMLElement): Promise<void> {
  return new Promise((onReady) => {
    const form = <ContactForm onReady={onReady} />;
    // In development the page is not prerendered.
    if (root.hasChildNodes()) hydrateRoot(root, form);
    else createRoot(root).render(form);
  });
}
