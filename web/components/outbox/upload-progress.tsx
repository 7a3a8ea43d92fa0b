// How much of a file is sent.
type UploadProgressProps = {
  name: string;
  /** 0 to 1. */
  share: number;
};

export function UploadProgress({ name, share }: UploadProgressProps) {
  const percent = Math.round(share * 100);
  return (
    <span className="flex items-center gap-2">
      <progress
        aria-label={`${name} sent`}
        value={percent}
        max={100}
        className="h-1.5 min-w-0 flex-1 appearance-none overflow-hidden rounded-full bg-sunken accent-accent-fill [&::-moz-progress-bar]:bg-accent-fill [&::-webkit-progress-bar]:bg-sunken [&::-webkit-progress-value]:bg-accent-fill"
      />
      <span className="w-10 shrink-0 text-right tabular-nums">
        {share === 1 ? 'Sent' : `${percent}%`}
      </span>
    </span>
  );
}
