// In charge of words that the kinds of questions share.

/** The reason why a question can be neither answered nor rolled again while a roll is under way. */
export const isMadeAnew = 'It is being made anew.'
