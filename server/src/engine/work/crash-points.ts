// In charge of named places in the code at which tests make a worker crash, by killing its process.

/** The places, in the order in which the execution of a run reaches them. */
export const crashPoints = [
  'claimed',
  'intent-saved',
  'called',
  'checkpoint-saved',
  'result-saved',
  'before-park',
  'parked',
  'before-rest',
  'rested',
] as const
export type CrashPoint = (typeof crashPoints)[number]

/** `ATELIER_CRASH_AT=called:3`: the process kills itself (SIGKILL) the third time it reaches that point. Set in tests only. */
export function crashPointsOf<Point extends string = CrashPoint>(setting: string | undefined): (point: Point) => void {
  if (!setting) return () => undefined
  const [name, count = '1'] = setting.split(':')
  let left = Number(count)
  return (point) => {
    if (point !== name) return
    left -= 1
    if (left === 0) process.kill(process.pid, 'SIGKILL')
  }
}
