import { MessageSquare, Phone } from 'lucide-react';
import { company } from '#company';
import { buttonStyles } from '#web/components/ui/button.tsx';

const digitsOf = (number: string): string => number.replace(/[^\d+]/g, '');

/** Calls and texts the control room. @param text of the message */
export function ControlRoom({ text }: { text: string }) {
  return (
    <>
      <a
        data-first-focus
        href={`tel:${digitsOf(company.hotline)}`}
        className={buttonStyles({
          variant: 'danger',
          className: 'min-h-16 w-full text-lg whitespace-normal',
        })}
      >
        <Phone aria-hidden="true" className="size-5" /> Call the control room
      </a>
      <a
        href={`sms:${digitsOf(company.messageNumber)}?body=${encodeURIComponent(text)}`}
        className={buttonStyles({
          variant: 'secondary',
          className: 'min-h-12 w-full whitespace-normal',
        })}
      >
        <MessageSquare aria-hidden="true" className="size-5" /> Send it as a text message
      </a>
    </>
  );
}
