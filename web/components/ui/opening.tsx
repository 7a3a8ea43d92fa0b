// Stands at the foot of the screen while the code of a dialog is loaded.
import { Spinner } from './spinner.tsx';

export function Opening({ title }: { title: string }) {
  return (
    <p
      role="status"
      className="fixed inset-x-0 bottom-0 z-40 flex min-h-20 items-center justify-center gap-3 border-t border-line bg-raised shadow-overlay"
    >
      <Spinner />
      Opening {title}...
    </p>
  );
}
