// Counting the equipment of the post, when it is taken over and when it is left for the next guard.
import { TriangleAlert } from 'lucide-react';
import { useState } from 'react';
import { Button } from '#web/components/ui/button.tsx';
import { Checkbox } from '#web/components/ui/checkbox.tsx';
import { Dialog } from '#web/components/ui/dialog.tsx';
import { Field } from '#web/components/ui/field.tsx';
import { Input } from '#web/components/ui/input.tsx';
import { Select } from '#web/components/ui/select.tsx';
import { showError, showSuccess } from '#web/components/ui/toast.ts';
import { cn } from '#web/lib/cn.ts';
import { describeError } from '#web/lib/errors/error-message.ts';
import { waitingText } from '#web/lib/outbox/submit.ts';
import {
  EQUIPMENT,
  formatPiece,
  type Handover,
  type Piece,
  type Side,
  submitTicks,
  type Tick,
} from './handover.ts';

/** Longest text of a damage, characters. */
const DAMAGE_MAX = 200;

const WORDS: Record<Side, { description: string; submit: string }> = {
  taken: {
    description: 'Tick what is there and works. What you leave out is reported as missing.',
    submit: 'Take Over',
  },
  left: {
    description: 'Tick what you leave at the post. What you leave out is reported as missing.',
    submit: 'Hand Over',
  },
};

/** What was counted of a piece; no damage is written while `damage` is undefined. */
type Counted = { count: number; damage: string | undefined };

type PieceRowProps = {
  piece: Piece;
  counted: Counted;
  /** How the guard before left it, if that was not complete and whole. */
  before: string | undefined;
  onChange: (counted: Counted) => void;
};

function PieceRow({ piece, counted, before, onChange }: PieceRowProps) {
  const { count, damage } = counted;
  const { quantity, name } = piece;
  const isComplete = count >= quantity;
  return (
    <li className="py-1">
      <div className="flex items-center gap-2">
        {/* biome-ignore lint/a11y/noLabelWithoutControl: the Checkbox inside is an input */}
        <label className="relative flex min-h-12 min-w-0 flex-1 items-center gap-3">
          <Checkbox
            checked={isComplete}
            onChange={({ target }) =>
              onChange({ ...counted, count: target.checked ? quantity : 0 })
            }
          />
          <span className="min-w-0 break-words">{formatPiece(piece)}</span>
        </label>
        <Button
          variant="ghost"
          className={cn('shrink-0 px-2 text-sm', damage !== undefined && 'text-warning')}
          aria-label={`Damaged, ${name}`}
          aria-pressed={damage !== undefined}
          onClick={() => onChange({ ...counted, damage: damage === undefined ? '' : undefined })}
        >
          <TriangleAlert aria-hidden="true" className="size-4" /> Damaged
        </Button>
      </div>
      {before !== undefined && <p className="pb-2 text-sm break-words text-warning">{before}</p>}
      {!isComplete && quantity > 1 && (
        <Field label={`How many are there, ${name}`} className="pb-3">
          {(control) => (
            <Select
              {...control}
              value={count}
              onChange={({ target }) => onChange({ ...counted, count: Number(target.value) })}
            >
              {[...Array(quantity).keys()].map((number) => (
                <option key={number} value={number}>
                  {number === 0 ? 'None' : `${number} of ${quantity}`}
                </option>
              ))}
            </Select>
          )}
        </Field>
      )}
      {damage !== undefined && (
        <Field label={`What is damaged, ${name}`} className="pb-3">
          {(control) => (
            <Input
              {...control}
              autoComplete="off"
              maxLength={DAMAGE_MAX}
              value={damage}
              onChange={({ target }) => onChange({ ...counted, damage: target.value })}
            />
          )}
        </Field>
      )}
    </li>
  );
}

function tickOf(piece: Piece, { count, damage }: Counted): Tick {
  const words = damage?.trim();
  return {
    equipment_id: piece.id,
    name: formatPiece(piece),
    has: count >= piece.quantity,
    count,
    // Pressed without a word, it is damaged all the same.
    ...(damage !== undefined && { damage: words || 'Damaged' }),
  };
}

/** @returns what was not complete or not whole, as the guard before left it */
function leftBefore({ found }: Handover, { id }: Piece): string | undefined {
  const tick = found?.ticks.find(({ equipment_id }) => equipment_id === id);
  if (!found || !tick || (tick.has && !tick.damage)) return;
  const there = tick.has ? [] : [tick.count ? `${tick.count} there` : 'not there'];
  return `${found.guard} left it: ${[...there, ...(tick.damage ? [tick.damage] : [])].join(', ')}`;
}

type EquipmentDialogProps = {
  userId: string;
  handover: Handover;
  side: Side;
  /** With what is damaged, one line for each piece. */
  onDamage: (lines: string[]) => void;
  onClose: () => void;
};

export function EquipmentDialog(props: EquipmentDialogProps) {
  const { userId, handover, side, onDamage, onClose } = props;
  const [counts, setCounts] = useState<ReadonlyMap<string, Counted>>(new Map());
  const [isBusy, setBusy] = useState(false);
  const { equipment } = handover;
  const countedOf = ({ id }: Piece) => counts.get(id) ?? { count: 0, damage: undefined };
  const missing = equipment.filter((piece) => countedOf(piece).count < piece.quantity).length;
  const { title, done } = EQUIPMENT[side];
  const { description, submit } = WORDS[side];

  async function save() {
    setBusy(true);
    const ticks = equipment.map((piece) => tickOf(piece, countedOf(piece)));
    try {
      const outcome = await submitTicks(userId, handover, side, ticks);
      showSuccess(done, waitingText(outcome));
      onClose();
      const damaged = ticks.flatMap(({ name, damage }) => (damage ? [`${name}: ${damage}`] : []));
      if (damaged.length > 0) onDamage(damaged);
    } catch (error) {
      showError('Error', describeError(error));
      setBusy(false);
    }
  }
  return (
    <Dialog open onOpenChange={onClose} title={title} description={description}>
      <div className="grid gap-5">
        <ul className="divide-y divide-line border-y border-line">
          {equipment.map((piece) => (
            <PieceRow
              key={piece.id}
              piece={piece}
              counted={countedOf(piece)}
              before={side === 'taken' ? leftBefore(handover, piece) : undefined}
              onChange={(counted) => setCounts(new Map(counts).set(piece.id, counted))}
            />
          ))}
        </ul>
        <Button busy={isBusy} className="min-h-14 w-full text-lg" onClick={() => void save()}>
          {missing === 0 ? submit : `${submit}, ${missing} Missing`}
        </Button>
      </div>
    </Dialog>
  );
}
