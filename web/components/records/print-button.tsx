// Prints what is on the screen.
import { Printer } from 'lucide-react';
import { Button } from '#web/components/ui/button.tsx';

export function PrintButton() {
  return (
    <Button variant="secondary" onClick={() => window.print()}>
      <Printer aria-hidden="true" className="size-4.5" />
      Print
    </Button>
  );
}
