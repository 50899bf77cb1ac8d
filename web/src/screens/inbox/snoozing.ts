/** Until when an item of the inbox can be snoozed; pure. */

export interface SnoozeChoice {
  readonly label: string;
  readonly until: Date;
}

function at(day: Date, days: number, hour: number): Date {
  return new Date(day.getFullYear(), day.getMonth(), day.getDate() + days, hour);
}

/** Return the choices at a time, in the time zone of the browser; the evening only while it is to come. */
export function snoozeChoices(now: Date): readonly SnoozeChoice[] {
  const evening = at(now, 0, 18);
  const untilMonday = (8 - now.getDay()) % 7 || 7;
  return [
    { label: "1 hour", until: new Date(now.getTime() + 3_600_000) },
    ...(evening > now ? [{ label: "This evening", until: evening }] : []),
    { label: "Tomorrow 9:00", until: at(now, 1, 9) },
    { label: "Next Monday", until: at(now, untilMonday, 9) },
  ];
}
