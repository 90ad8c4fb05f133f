// In charge of what a campaign id looks like where a person types or pastes one: the lookup and the launch dialog agree.
// Over the API an id is any text, because other tools have their own.

/** Fifteen digits or more and nothing else: no canonical name looks like that. */
export const isCampaignId = (text: string): boolean => /^\d{15,}$/.test(text)
