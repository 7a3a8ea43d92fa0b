// What was typed into the contact form, in sessionStorage: it survives a reload, and on a shared computer it goes with the tab.

const KEY = 'contact-draft';
const FIELDS = ['name', 'email', 'company', 'message'];

const isField = (element: unknown) =>
  element instanceof HTMLInputElement || element instanceof HTMLTextAreaElement;

const fieldsOf = (form: HTMLFormElement) =>
  FIELDS.map((name) => form.elements.namedItem(name)).filter(isField);

/** Storage may be blocked; the form then works without a draft. */
function withStorage(work: (storage: Storage) => void): void {
  try {
    work(sessionStorage);
  } catch (error) {
    console.warn('No draft of the form can be stored.', error);
  }
}

export function forgetDraft(): void {
  withStorage((storage) => storage.removeItem(KEY));
}

/**
 * Fills the form from the draft, where the browser has not done so itself, and stores what is typed from now on. Clearing the
 * form clears the draft.
 * @param root contains the form
 */
export function keepDraft(root: HTMLElement): void {
  const form = root.querySelector('form');
  withStorage((storage) => {
    const draft = new URLSearchParams(storage.getItem(KEY) ?? '');
    for (const field of form ? fieldsOf(form) : []) field.value ||= draft.get(field.name) ?? '';
  });
  root.addEventListener('input', ({ target }) => {
    const changed = isField(target) && target.form;
    if (!changed) return;
    const draft = new URLSearchParams(fieldsOf(changed).map(({ name, value }) => [name, value]));
    withStorage((storage) => storage.setItem(KEY, draft.toString()));
  });
  root.addEventListener('reset', forgetDraft);
}
