// Says in a corner of the screen what has just happened. One toast at a time: a new one takes the old one's place.
import { toast } from 'sonner';

const NOTICE_MS = 4000;
/** Errors, and toasts with something to press, stay a little longer. */
const LONGER_MS = 5000;

type Action = { label: string; onPress: () => void };

/** @param action a button in the toast, for example Undo */
export function showSuccess(title: string, description?: string, action?: Action): void {
  toast.dismiss();
  toast.success(title, {
    description,
    duration: action ? LONGER_MS : NOTICE_MS,
    action: action && { label: action.label, onClick: action.onPress },
  });
}

/** The destructive toast: a title that says what failed, and why in the description. */
export function showError(title: string, description: string): void {
  toast.dismiss();
  toast.error(title, { description, duration: LONGER_MS });
}
