// A value of a field; a long one is folded.

/** Characters that fit without pushing the other fields away. */
const SHORT = 160;

export function Value({ text }: { text: string }) {
  if (text.length <= SHORT) return <span className="whitespace-pre-line">{text}</span>;
  return (
    <details>
      <summary className="cursor-pointer">
        {text.slice(0, SHORT).trimEnd()}… <span className="text-accent underline">all of it</span>
      </summary>
      <p className="mt-2 border-t border-line pt-2 whitespace-pre-line">{text}</p>
    </details>
  );
}
