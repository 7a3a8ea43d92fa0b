// Start codes after they were made: the only place and time that shows them.
import { Mail, MessageSquare, Printer } from 'lucide-react';
import { useEffect, useState } from 'react';
import { flushSync } from 'react-dom';
import { company } from '#company';
import { useSave } from '#web/components/form/use-save.ts';
import { Alert } from '#web/components/ui/alert.tsx';
import { Button, buttonStyles } from '#web/components/ui/button.tsx';
import { CopyButton } from '#web/components/ui/copy-button.tsx';
import { PersonLink } from '#web/components/ui/person-link.tsx';
import { SecondLine } from '#web/components/ui/second-line.tsx';
import { showSuccess } from '#web/components/ui/toast.ts';
import { formatInstantDay } from '#web/lib/format/dates.ts';
import { useResendInvitation } from './api.ts';
import { buildLink, findLogin, type Issued, messageFor, spaced } from './issued-code.ts';

function InvitationButton({ id, email }: { id: string; email: string }) {
  const { mutateAsync } = useResendInvitation();
  const { save, busy } = useSave();
  async function send() {
    if (await save(() => mutateAsync(id))) {
      showSuccess('Invitation Sent', `Invitation sent to ${email}`);
    }
  }
  return (
    <Button variant="secondary" busy={busy} onClick={() => void send()}>
      <Mail aria-hidden="true" className="size-4.5" />
      Email the invitation
    </Button>
  );
}

const LINK = buttonStyles({ variant: 'secondary' });

function IssuedCode({ issued }: { issued: Issued }) {
  const { id, name, phone, email, code } = issued;
  const text = messageFor(issued);
  return (
    <li className="grid gap-4 px-4 py-5 sm:px-5">
      <div className="flex flex-wrap items-baseline justify-between gap-x-6 gap-y-2">
        <div className="min-w-0">
          <p className="text-lg font-semibold [overflow-wrap:anywhere]">
            <PersonLink id={id} name={name} />
          </p>
          <p className="text-muted [overflow-wrap:anywhere]">Signs in with {findLogin(issued)}</p>
        </div>
        <p>
          <SecondLine wraps>Start code</SecondLine>
          <span className="text-3xl font-semibold tracking-wider tabular-nums">{spaced(code)}</span>
        </p>
      </div>
      <div className="flex flex-wrap gap-2 max-sm:[&>*]:flex-1">
        {phone && (
          <>
            <a href={`sms:${phone}?body=${encodeURIComponent(text)}`} className={LINK}>
              <MessageSquare aria-hidden="true" className="size-4.5" />
              Text it
            </a>
            <a
              href={`https://wa.me/${phone.slice(1)}?text=${encodeURIComponent(text)}`}
              target="_blank"
              rel="noreferrer"
              className={LINK}
            >
              WhatsApp
            </a>
          </>
        )}
        {email && <InvitationButton id={id} email={email} />}
        <CopyButton text={text} label="Copy message" />
      </div>
    </li>
  );
}

type Squares = { size: number; path: string };

/** The QR code of a link with its margin, as the path of its dark squares. */
async function squaresOf(link: string): Promise<Squares> {
  const { encodeQR } = await import('qr');
  const rows = encodeQR(link, 'raw', { ecc: 'medium', border: 2 });
  const path = rows
    .flatMap((row, y) => row.map((dark, x) => (dark ? `M${x} ${y}h1v1h-1z` : '')))
    .join('');
  return { size: rows.length, path };
}

function Slip({ issued, squares }: { issued: Issued; squares: Squares | undefined }) {
  const { name, code, expires_at } = issued;
  return (
    <li className="flex break-inside-avoid items-start justify-between gap-8 border-b border-dashed border-black py-8 text-[11pt]">
      <div>
        <p className="font-display text-xl">{company.name}</p>
        <p className="mt-4 text-lg font-semibold">{name}</p>
        <p>
          1. Scan the square, or open <strong>{location.host}/auth/start</strong>
        </p>
        <p>
          2. Phone number or email: <strong>{findLogin(issued)}</strong>
        </p>
        <p>
          3. Start code: <strong className="text-xl tracking-wider">{spaced(code)}</strong>
        </p>
        <p>4. Choose your own password. Keep it to yourself.</p>
        <p className="mt-3 text-sm">
          The code works once, until {formatInstantDay(expires_at)}. Questions: {company.hotline}
        </p>
      </div>
      {squares && (
        <svg
          viewBox={`0 0 ${squares.size} ${squares.size}`}
          className="w-[38mm] shrink-0"
          role="img"
          aria-label="QR code with the start code"
        >
          <path d={squares.path} fill="black" />
        </svg>
      )}
    </li>
  );
}

function PrintSlips({ issued }: { issued: Issued[] }) {
  const [squares, setSquares] = useState<Squares[]>();
  const { save, busy } = useSave();
  async function print() {
    const drawn = await Promise.all(issued.map((one) => squaresOf(buildLink(one))));
    flushSync(() => setSquares(drawn));
    window.print();
  }
  useEffect(() => {
    const done = () => setSquares(undefined);
    window.addEventListener('afterprint', done);
    return () => window.removeEventListener('afterprint', done);
  }, []);
  return (
    <>
      <Button busy={busy} onClick={() => void save(print)}>
        {!busy && <Printer aria-hidden="true" className="size-4.5" />}
        {issued.length === 1 ? 'Print slip' : `Print ${issued.length} slips`}
      </Button>
      {squares && (
        <ul data-print className="hidden print:block">
          {issued.map((one, at) => (
            <Slip key={one.id} issued={one} squares={squares[at]} />
          ))}
        </ul>
      )}
    </>
  );
}

export function StartCodes({ issued }: { issued: Issued[] }) {
  const [first] = issued;
  return (
    <div className="grid gap-5">
      <Alert tone="success" title="Hand the code over now. It is not shown again.">
        {first &&
          `It works once, until ${formatInstantDay(first.expires_at)}, and asks for a new password.`}
      </Alert>
      <ul
        aria-label="Start codes"
        className="divide-y divide-line rounded-sm border border-line bg-raised"
      >
        {issued.map((one) => (
          <IssuedCode key={one.id} issued={one} />
        ))}
      </ul>
      <div>
        <PrintSlips issued={issued} />
      </div>
    </div>
  );
}
