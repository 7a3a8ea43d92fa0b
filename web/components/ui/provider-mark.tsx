import { KeyRound } from 'lucide-react';

export function ProviderMark({ name }: { name: string }) {
  if (name === 'google') {
    return (
      <svg viewBox="0 0 24 24" aria-hidden="true" className="size-5">
        <path
          fill="#4285f4"
          d="M23 12.3c0-.8-.1-1.6-.2-2.3H12v4.5h6.2a5.3 5.3 0 0 1-2.3 3.4v2.9h3.7c2.1-2 3.4-4.9 3.4-8.5Z"
        />
        <path
          fill="#34a853"
          d="M12 23.5c3.1 0 5.7-1 7.6-2.7l-3.7-2.9c-1 .7-2.4 1.1-3.9 1.1a6.8 6.8 0 0 1-6.4-4.7H1.8v3A11.5 11.5 0 0 0 12 23.5Z"
        />
        <path fill="#fbbc05" d="M5.6 14.3a7 7 0 0 1 0-4.4v-3H1.8a11.5 11.5 0 0 0 0 10.4l3.8-3Z" />
        <path
          fill="#ea4335"
          d="M12 5.1c1.7 0 3.2.6 4.4 1.7l3.3-3.3A11.5 11.5 0 0 0 1.8 6.9l3.8 3A6.8 6.8 0 0 1 12 5.1Z"
        />
      </svg>
    );
  }
  if (name === 'azure') {
    return (
      <svg viewBox="0 0 24 24" aria-hidden="true" className="size-5">
        <path fill="#f25022" d="M2 2h9.5v9.5H2z" />
        <path fill="#7fba00" d="M12.5 2H22v9.5h-9.5z" />
        <path fill="#00a4ef" d="M2 12.5h9.5V22H2z" />
        <path fill="#ffb900" d="M12.5 12.5H22V22h-9.5z" />
      </svg>
    );
  }
  return <KeyRound aria-hidden="true" className="size-5 text-accent" />;
}
