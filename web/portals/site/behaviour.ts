// What the hero's two buttons do beyond following their link.

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
