type ReasonChipsProps = {
  reasons: readonly string[];
  chosen: string | undefined;
  onChoose: (reason?: string) => void;
  legend?: string;
  error?: string | undefined;
};

/** Reasons, or other short answers, to tap instead of typing. A second tap takes the choice back. */
export function ReasonChips(props: ReasonChipsProps) {
  const { reasons, chosen, onChoose, legend = 'Common reasons', error } = props;
  return (
    <fieldset>
      <legend className="mb-2 text-sm font-semibold">{legend}</legend>
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
      {error && (
        <p role="alert" className="mt-1.5 text-sm font-medium text-danger">
          {error}
        </p>
      )}
    </fieldset>
  );
}
