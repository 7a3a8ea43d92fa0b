import { useNavigate } from '@tanstack/react-router';
import {
  ChevronDown,
  KeyRound,
  Mail,
  Pencil,
  UserMinus,
  UserPlus,
  UserRoundCheck,
} from 'lucide-react';
import { useState } from 'react';
import { mayManageAccounts } from '#shared/screens.ts';
import { useSave } from '#web/components/form/use-save.ts';
import { Button } from '#web/components/ui/button.tsx';
import {
  DropdownMenu,
  DropdownMenuContent,
  DropdownMenuItem,
  DropdownMenuTrigger,
} from '#web/components/ui/dropdown-menu.tsx';
import { showSuccess } from '#web/components/ui/toast.ts';
import { formatName } from '#web/lib/format/person-name.ts';
import { useAuth } from '#web/lib/session/auth.ts';
import { useReinstate, useResendInvitation } from './api.ts';
import { EditPersonDialog, EndEmploymentDialog, StartCodeDialog } from './person-dialogs.tsx';
import type { Person } from './schema.ts';

/** Nobody ends their own employment here. HR manages guards, and people without a role. */
export function PersonActions({ person }: { person: Person }) {
  const { id, account, hasAccount, left_on, email } = person;
  const { user, roles } = useAuth();
  const isOwn = user?.id === id;
  const isAdmin = mayManageAccounts(roles);
  const [open, setOpen] = useState<'edit' | 'code' | 'end'>();
  const navigate = useNavigate();
  const { save } = useSave();
  const reinstate = useReinstate();
  const resend = useResendInvitation();
  const close = () => setOpen(undefined);

  if (!hasAccount) {
    return (
      <Button onClick={() => void navigate({ to: '/admin/people/new', search: { staff: id } })}>
        <UserPlus aria-hidden="true" className="size-4.5" />
        Create Account
      </Button>
    );
  }
  // Erased: the account is gone for good.
  if (account === null) return null;
  if (!isAdmin && (isOwn || account.roles.some(({ role }) => role !== 'guard'))) {
    return (
      <p className="max-w-60 text-sm text-muted">
        {isOwn
          ? 'Someone else manages your account.'
          : 'Works in the office: an administrator manages this account.'}
      </p>
    );
  }
  async function enable() {
    if (await save(() => reinstate.mutateAsync(id))) {
      showSuccess(
        'Account enabled',
        `${formatName(person)} needs a role before they can work again.`,
      );
    }
  }
  async function invite() {
    if (await save(() => resend.mutateAsync(id))) {
      showSuccess('Invitation Sent', `Invitation sent to ${email}`);
    }
  }
  const isOut = account.disabled;
  // Only admins take somebody back.
  if (isOut && !isAdmin) return null;
  return (
    <div className="flex gap-2 print:hidden">
      <Button variant="secondary" onClick={() => setOpen('edit')}>
        <Pencil aria-hidden="true" className="size-4" />
        Edit
      </Button>
      {!isOwn && (
        <DropdownMenu>
          <DropdownMenuTrigger asChild>
            <Button variant="secondary">
              Manage
              <ChevronDown aria-hidden="true" className="size-4" />
            </Button>
          </DropdownMenuTrigger>
          <DropdownMenuContent>
            {!isOut && (
              <DropdownMenuItem onSelect={() => setOpen('code')}>
                <KeyRound aria-hidden="true" className="size-4 text-muted" />
                New start code
              </DropdownMenuItem>
            )}
            {isAdmin && !isOut && email && account.must_change_password && (
              <DropdownMenuItem onSelect={() => void invite()}>
                <Mail aria-hidden="true" className="size-4 text-muted" />
                Resend invitation
              </DropdownMenuItem>
            )}
            {isOut ? (
              <DropdownMenuItem onSelect={() => void enable()}>
                <UserRoundCheck aria-hidden="true" className="size-4 text-success" />
                {left_on ? 'Reinstate' : 'Enable account'}
              </DropdownMenuItem>
            ) : (
              <DropdownMenuItem className="text-danger" onSelect={() => setOpen('end')}>
                <UserMinus aria-hidden="true" className="size-4" />
                End employment
              </DropdownMenuItem>
            )}
          </DropdownMenuContent>
        </DropdownMenu>
      )}
      {open === 'edit' && <EditPersonDialog person={person} onClose={close} />}
      {open === 'code' && <StartCodeDialog person={person} onClose={close} />}
      {open === 'end' && <EndEmploymentDialog person={person} onClose={close} />}
    </div>
  );
}
