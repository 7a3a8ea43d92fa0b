import { Link, useNavigate } from '@tanstack/react-router';
import { Pencil } from 'lucide-react';
import { useState } from 'react';
import { formatMoney } from '#shared/money.ts';
import { mayTurnQuotes } from '#shared/screens.ts';
import { createFields, FieldGrid } from '#web/components/form/fields.tsx';
import { PdfButton } from '#web/components/form/pdf-button.tsx';
import { EntryDialog } from '#web/components/form/record-dialog.tsx';
import { undoAction } from '#web/components/form/undo-action.ts';
import { useSave } from '#web/components/form/use-save.ts';
import { Button, buttonStyles } from '#web/components/ui/button.tsx';
import { ConfirmDialog } from '#web/components/ui/confirm-dialog.tsx';
import { showSuccess } from '#web/components/ui/toast.ts';
import { useAuth } from '#web/lib/session/auth.ts';
import {
  type OpenedQuote,
  useAnswerQuote,
  useDiscardQuote,
  useReviseQuote,
  useSendQuote,
  useTakeContractBack,
  useTurnIntoContract,
} from './quote-api.ts';
import { declineSchema, isExpired, nameOf, sendSchema, toPrintedQuote } from './quote-schema.ts';

export const useMayTurn = () => mayTurnQuotes(useAuth().roles);

type DialogProps = { quote: OpenedQuote; onClose: () => void };

function SendDialog({ quote, onClose }: DialogProps) {
  const { mutateAsync } = useSendQuote();
  const isFirst = quote.status === 'draft';
  return (
    <EntryDialog
      title={isFirst ? 'Send Quote' : 'Mail Quote'}
      description={
        isFirst
          ? `${formatMoney(quote.total, quote.currency)} a month. It gets its number and can’t be changed afterwards; a new version can replace it.`
          : 'With the quote as a PDF.'
      }
      schema={
        isFirst
          ? sendSchema
          : sendSchema.refine(({ email }) => email !== '', {
              path: ['email'],
              error: 'Enter an e-mail address',
            })
      }
      defaultValues={{ email: quote.email ?? '' }}
      submitLabel={isFirst ? 'Send' : 'Mail'}
      savingLabel={isFirst ? 'Sending...' : 'Mailing...'}
      success={isFirst ? 'Quote sent' : 'Quote on its way'}
      failure={isFirst ? 'Quote not sent' : 'Quote not mailed'}
      save={({ email }) => mutateAsync({ id: quote.id, email })}
      onClose={onClose}
    >
      {(form) => (
        <FieldGrid>
          {createFields(form).text('email', 'E-mail', {
            wide: true,
            inputMode: 'email',
            optional: isFirst,
            hint: isFirst ? 'Leave it blank to hand the PDF over yourself.' : undefined,
          })}
        </FieldGrid>
      )}
    </EntryDialog>
  );
}

function DeclineDialog({ quote, onClose }: DialogProps) {
  const { mutateAsync } = useAnswerQuote();
  return (
    <EntryDialog
      title="Quote Declined"
      description="The client doesn’t take it. A new version can still follow."
      schema={declineSchema}
      defaultValues={{ reason: '' }}
      submitLabel="Mark as Declined"
      success="Quote marked as declined"
      failure="Quote not changed"
      save={({ reason }) => mutateAsync({ id: quote.id, status: 'declined', reason })}
      onClose={onClose}
    >
      {(form) => (
        <FieldGrid>
          {createFields(form).notes('reason', 'Reason', { hint: 'Too dear, another company, ...' })}
        </FieldGrid>
      )}
    </EntryDialog>
  );
}

function DiscardDialog({ quote, onClose }: DialogProps) {
  const { mutateAsync } = useDiscardQuote();
  const navigate = useNavigate();
  return (
    <ConfirmDialog
      title="Discard Draft"
      question={`Discard the draft for ${quote.client_name}?`}
      confirmLabel="Discard"
      busyLabel="Discarding..."
      success="Draft discarded"
      failure="Draft not discarded"
      onConfirm={async () => {
        await mutateAsync(quote.id);
        await navigate({
          to: '/admin/enquiries',
          search: quote.enquiry_id === null ? {} : { open: quote.enquiry_id },
        });
      }}
      onClose={onClose}
    />
  );
}

function TakeBackDialog({ quote, onClose }: DialogProps) {
  const { mutateAsync } = useTakeContractBack();
  return (
    <ConfirmDialog
      title="Take Contract Back"
      question={`Take the contract of ${nameOf(quote)} back?`}
      confirmLabel="Take Back"
      busyLabel="Taking back..."
      success="Contract taken back"
      failure="Contract not taken back"
      onConfirm={() => mutateAsync(quote.id)}
      onClose={onClose}
    >
      The contract is deleted with its posts and rates, and so are the client and the site if they
      were made for it. Once its posts have hours, shifts or invoices, it stays.
    </ConfirmDialog>
  );
}

const DIALOGS = {
  send: SendDialog,
  decline: DeclineDialog,
  discard: DiscardDialog,
  takeBack: TakeBackDialog,
};

/** One press makes client, site, posts, contract and rates, and opens the contract. */
function TurnButton({ quote }: Pick<DialogProps, 'quote'>) {
  const turn = useTurnIntoContract();
  const takeBack = useTakeContractBack();
  const navigate = useNavigate();
  const { save, busy } = useSave({ failure: 'Contract not made' });
  const press = async () => {
    const contract = await turn.mutateAsync(quote.id);
    showSuccess(
      'Contract made',
      'Check it, then give its posts their hours.',
      undoAction(
        async () => {
          await takeBack.mutateAsync(quote.id);
          await navigate({ to: '/admin/enquiries/quotes/$id', params: { id: quote.id } });
        },
        { restored: 'Contract taken back' },
      ),
    );
    await navigate({ to: '/admin/contracts/$id', params: { id: contract } });
  };
  return (
    <Button busy={busy} onClick={() => void save(press)}>
      Turn into Client and Contract
    </Button>
  );
}

function AnswerButtons({
  quote,
  onDecline,
}: Pick<DialogProps, 'quote'> & { onDecline: () => void }) {
  const { mutateAsync } = useAnswerQuote();
  const { save, busy } = useSave({ success: 'Quote accepted', failure: 'Quote not changed' });
  return (
    <>
      <Button variant="secondary" onClick={onDecline}>
        Declined
      </Button>
      {!isExpired(quote) && (
        <Button
          busy={busy}
          onClick={() => void save(() => mutateAsync({ id: quote.id, status: 'accepted' }))}
        >
          Accepted
        </Button>
      )}
    </>
  );
}

/** Of an answer that was a mistake. */
function UndoAnswerButton({ quote }: Pick<DialogProps, 'quote'>) {
  const { mutateAsync } = useAnswerQuote();
  const { save, busy } = useSave({ success: 'Answer undone', failure: 'Quote not changed' });
  return (
    <Button
      variant="secondary"
      busy={busy}
      onClick={() => void save(() => mutateAsync({ id: quote.id, status: 'sent' }))}
    >
      Undo Answer
    </Button>
  );
}

function ReviseButton({ quote }: Pick<DialogProps, 'quote'>) {
  const { mutateAsync } = useReviseQuote();
  const navigate = useNavigate();
  const { save, busy } = useSave({ failure: 'No new version' });
  const press = async () => {
    const id = await mutateAsync(quote.id);
    await navigate({ to: '/admin/enquiries/quotes/$id', params: { id } });
  };
  return (
    <Button variant="secondary" busy={busy} onClick={() => void save(press)}>
      New Version
    </Button>
  );
}

export function QuoteActions({ quote, onEdit }: { quote: OpenedQuote; onEdit: () => void }) {
  const [opened, setOpened] = useState<keyof typeof DIALOGS>();
  const mayTurn = useMayTurn();
  const Opened = opened && DIALOGS[opened];
  const { status, contract_id } = quote;
  const isAnswered = status === 'accepted' || status === 'declined';
  return (
    <>
      {status === 'draft' && (
        <>
          <Button variant="danger-ghost" onClick={() => setOpened('discard')}>
            Discard
          </Button>
          {quote.enquiry_id !== null && (
            <Button variant="secondary" onClick={onEdit}>
              <Pencil aria-hidden="true" className="size-4" /> Edit
            </Button>
          )}
        </>
      )}
      {contract_id !== null && mayTurn && (
        <Button variant="danger-ghost" onClick={() => setOpened('takeBack')}>
          Take Back
        </Button>
      )}
      {isAnswered && contract_id === null && <UndoAnswerButton quote={quote} />}
      {(status === 'sent' || status === 'declined') && <ReviseButton quote={quote} />}
      <PdfButton
        name={nameOf(quote)}
        load={async () => {
          const { quotePdf } = await import('#shared/documents/quote-pdf.ts');
          return () => quotePdf(toPrintedQuote(quote));
        }}
      />
      {(status === 'sent' || status === 'accepted') && (
        <Button variant="secondary" onClick={() => setOpened('send')}>
          Mail
        </Button>
      )}
      {status === 'draft' && <Button onClick={() => setOpened('send')}>Send</Button>}
      {status === 'sent' && <AnswerButtons quote={quote} onDecline={() => setOpened('decline')} />}
      {status === 'accepted' && contract_id === null && mayTurn && <TurnButton quote={quote} />}
      {contract_id !== null && (
        <Link
          to="/admin/contracts/$id"
          params={{ id: contract_id }}
          className={buttonStyles({ variant: 'primary' })}
        >
          Open Contract
        </Link>
      )}
      {Opened && <Opened quote={quote} onClose={() => setOpened(undefined)} />}
    </>
  );
}
