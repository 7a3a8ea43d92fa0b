type ReasonChipsProps = {
  reasons: readonly string[];
  chosen: string | undefined;
  onChoose: (reason?: string) => void;
};

/** Reasons to tap instead of typing. A second tap takes the choice back. */
export function ReasonChips({ reasons, chosen, onChoose }: ReasonChipsProps) {
  return (
    <fieldset>
      <legend className="mb-2 text-sm font-semibold">Common reasons</legend>
      <div className="flex flex-wrap gap-2">
        {reasons.map((reason) => (
          <button
            key={reason}
            type="button"
            aria-pressed={reason === chosen}
            onClick={() => onChoose(reason === chosen ? undefined : reason)}
            className="min-h-11 rounded-full border border-line-strong px-4 text-sm font-semibold aria-pressed:border-primary aria-pressed:bg-primary aria-pressed:text-primary-ink"
          >
            {reason}
          </button>
        ))}
      </div>
    </fieldset>
  );
}
