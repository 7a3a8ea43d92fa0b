// Loads the contact form's code before it is needed, and delays a submit that comes earlier.
import { CONTACT_TEXTS } from '#shared/contact-texts.ts';
import { postForm } from '#web/features/clients/contact/native-form.ts';

/** Distance below the viewport at which the form's code is loaded. */
const NEAR = '800px';

/** @param root the element that holds the static form */
export function loadFormWhenNear(root: HTMLElement): void {
  let loading: Promise<boolean> | undefined;
  const load = (): Promise<boolean> => {
    loading ??= import('./hydrate-form.tsx').then(
      async ({ hydrateForm }) => {
        await hydrateForm(root);
        root.removeEventListener('submit', hold);
        return true;
      },
      (error: unknown) => {
        console.warn('The form’s code could not be loaded:', error);
        loading = undefined;
        return false;
      },
    );
    return loading;
  };

  const failure = document.createElement('p');
  failure.role = 'alert';
  failure.className = 'mt-3 text-sm font-medium text-danger';

  async function hold(event: SubmitEvent): Promise<void> {
    const form = event.target;
    if (!(form instanceof HTMLFormElement)) return;
    event.preventDefault();
    failure.remove();
    if (await load()) form.requestSubmit();
    else if (!(await postForm(form))) {
      failure.textContent = CONTACT_TEXTS.failed;
      // Next to the form, because the form itself is hydrated later.
      root.after(failure);
    }
  }
  root.addEventListener('submit', hold);

  const begin = (): void => {
    observer.disconnect();
    root.removeEventListener('focusin', begin);
    void load();
  };
  const observer = new IntersectionObserver(
    ([entry]) => {
      if (entry?.isIntersecting) begin();
    },
    { rootMargin: NEAR },
  );
  observer.observe(root);
  root.addEventListener('focusin', begin);
}
