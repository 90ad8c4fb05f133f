// In charge of the ways notices leave the app by, and how often. Pure.

/** Besides the app, where everything is shown. */
export const noticeChannels = ['mail', 'chat'] as const
export type NoticeChannel = (typeof noticeChannels)[number]

/** Services that take messages at an address of theirs (an incoming webhook), each in its own shape. */
export const chatServices = {
  slack: 'Slack',
  mattermost: 'Mattermost',
  teams: 'Microsoft Teams',
  discord: 'Discord',
} as const
export type ChatService = keyof typeof chatServices

export const digests = {
  at_once: 'At once',
  hourly: 'Once an hour',
  daily: 'Once a day',
} as const
export type Digest = keyof typeof digests
