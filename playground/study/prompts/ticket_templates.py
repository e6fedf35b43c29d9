"""The skeletons of the tickets: what each one is about. `{amount}` is the sum that gets labelled.

In every list each fifth template belongs to the test split, so that none of its texts is trained on.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

TEMPLATES: Mapping[str, Sequence[str]] = {
    "refund": (
        "I would like my money back for {the_goods}, order {order}. You charged {amount} {when}.",
        "{the_goods} arrived with {damage}. Please return the {amount} I paid.",
        "I cancelled {the_product} {when} and still paid {amount}. Kindly refund it.",
        "The {amount} for {the_goods} left my card twice {when}, send one of the two back.",
        "My {relative} bought {the_goods} by mistake {when}, and I am asking for the {amount} back.",
        "We were promised a refund of {amount} under order {order} and nothing has reached us.",
        "Nobody at our firm uses {the_product}. We want to hand it back and be repaid the {amount}.",
        "The trial of {the_product} turned into a paid plan without a word. Reverse the {amount} please.",
        "I sent the parcel of order {order} back {when}; where is my {amount}?",
        "Your page says thirty days money back. It has been {short_time}, so please repay {amount}.",
        "I ordered one licence of {the_product} and was sold {count}. I want {amount} back for the rest.",
        "The course on {the_product} was cancelled by you, so the fee of {amount} has to come back to us.",
        "Please undo the purchase {order}. I pressed buy instead of back and {amount} was gone.",
        "{the_product} does not do what the advert says. I expect to be repaid in full.",
        "How do I get a refund for {the_goods}? I no longer need it.",
        "Return of goods, order {order}: credit note for {amount} requested to the card that was used.",
        "It was agreed on the phone {when} that half of the price would be reimbursed, that is {amount}.",
        "I am within the cooling off period and withdraw from the contract for {the_product}.",
        "Please give back what I paid for {the_goods}; it was never delivered to {place}.",
        "Two seats of {the_product} were removed {when}, so I am owed {amount} for the unused months.",
    ),
    "billing": (
        "Invoice {order} shows {amount} for {the_product}. Can you explain what it is made of?",
        "The price of {the_product} went up to {amount} and I never got a notice. Why is that?",
        "Please put our purchase order {order} on the next invoice for {the_product}.",
        "Could you resend the receipt for {amount} from {when}? Our accounts department needs it.",
        "Our VAT number is missing on invoice {order}. Please issue a corrected one.",
        "I want to pay for {the_product} once a year and not every month. What would it cost?",
        "We got a reminder for {amount} although the transfer was made {when}.",
        "Which card is {the_product} charged to, and how do I replace it with a new one?",
        "There is a line called {line} with {amount} on my statement. What is it for?",
        "The discount code from your newsletter was not applied; the bill still says {amount}.",
        "Can we get one bill for all {count} seats of {the_product} and not one for each?",
        "Please change the billing address to our office in {place}.",
        "Is the {amount} for {the_product} with or without tax? The invoice does not say.",
        "I was billed for {count} users this month, but we have fewer. Please check the invoice.",
        "When is the next payment for {the_product} due, and how much will it be?",
        "Your statement lists {amount} as unpaid, yet our bank shows that it was sent {when}.",
        "We need the bill for {the_product} in euros and not in dollars from now on.",
        "Could the payment term on invoice {order} be moved from fourteen days to thirty?",
        "I do not understand the pro rata amount of {amount} after we switched plans {when}.",
        "A tax certificate is required before we can pay the {amount} of invoice {order}.",
    ),
    "bug": (
        "{the_product} closes by itself as soon as I open {page}.",
        "Since {when} the export of {the_product} gives an empty file, error {code}.",
        "When I press save in {page} nothing happens, and after a reload my changes are gone.",
        "The chart in {page} shows last year's figures although the data below it is current.",
        "{the_product} is so slow after the update that {page} takes minutes to appear.",
        "Search finds nothing when the word has an accent in it, tried on {device} with {the_product}.",
        "The app freezes on {device} each time I rotate the screen.",
        "Emails from {the_product} arrive {count} times each.",
        "Attachments above a few megabytes fail to upload with code {code}.",
        "Dates in {page} are off by one day for everybody in {place}.",
        "The print view of {page} cuts off the last column, whatever browser I take.",
        "Every second request to the API of {the_product} answers {code} for no reason we can see.",
        "After the latest version {the_product} no longer syncs between {device} and the web.",
        "Sorting the table in {page} by name mixes up the rows: values land next to the wrong people.",
        "The total in {page} is plainly miscalculated: with {amount} in the cart it shows zero.",
        "Dark mode in {the_product} paints black text on a black ground in {page}.",
        "Notifications stopped coming through on {device} {when}, the settings are all on.",
        "The import wizard of {the_product} hangs at ninety percent and logs {code}.",
        "Undo in {page} removes the whole document and not the last step.",
        "The calendar widget of {the_product} repeats a meeting for ever once it is moved.",
    ),
    "account": (
        "I cannot sign in to {the_product}: the code by text message never arrives.",
        "Please change the email of my profile, I have a new address at work.",
        "{person} has left us. How do we hand over the admin role for {the_product}?",
        "Delete my account and all data that belongs to it, please.",
        "I forgot my password and the reset link says that it has expired.",
        "Our workspace should get a new name because the firm is called {the_company} now.",
        "Add {count} colleagues from {place} to our team in {the_product}, I lack the right to do it.",
        "My account got locked {when} after I typed the wrong password a few times.",
        "How do I switch on two factor sign in for everybody in our team?",
        "I have two profiles with {the_product} by accident. Can they be merged into one?",
        "The new phone has no authenticator and the backup codes are lost. Let me in again.",
        "Single sign-on for {the_company} needs a new certificate, where is it uploaded?",
        "{person} should only be able to read in {the_product} but can edit. Set the role right.",
        "Please move my profile from the workspace of {the_company} to a private one.",
        "The invitation for {person} was sent to a mistyped address. Cancel it and invite again.",
    ),
    "other": (
        "Do you plan to offer {the_product} in other languages?",
        "I only want to say that {the_product} has made my work in {place} a lot easier.",
        "We would like to show {the_product} to {count} students, is there material for teachers?",
        "Is there a way to get to know your product team at the fair in {place}?",
        "It would be great if {page} had keyboard shortcuts, please think about it.",
        "{the_company} would like to become a reseller of {the_product}. Whom do we talk to?",
        "Where do I find the documentation for the API of {the_product}?",
        "Which countries are your servers in? Our data officer would like to know.",
        "I am writing an article on tools like {the_product} and have three short questions.",
        "Are there job openings in your team in {place}?",
        "Can you recommend a partner near {place} who gives training on {the_product}?",
        "Does {the_product} work together with the calendar that {the_company} makes?",
        "Suggestion: let users pick the colours of {page} themselves.",
        "What is the difference between the basic and the large edition of {the_product}?",
        "Please send us the accessibility report of {the_product} for a public tender.",
    ),
}
"""Intent -> its templates, where the intent is plain."""


@dataclass(frozen=True, slots=True)
class Doubt:
    """A kind of ticket that two labellers read in two ways."""

    readings: Mapping[str, float]
    """Intent -> the share of labellers who choose it; they sum to 1."""
    templates: Sequence[str]


DOUBTS: Mapping[str, Doubt] = {
    "cancelled-but-charged": Doubt(
        {"refund": 0.6, "billing": 0.4},
        (
            "I had cancelled {the_product}, and now {amount} was taken. Please sort this out.",
            "{amount} for {the_product} after the cancellation? Somebody please look into it.",
            "The subscription ended {when}, so what is this {amount} and what will you do about it?",
            "You went on charging {amount} for {the_product} though I had left. Put that right.",
            "My plan was over {when}, yet {amount} came off the card. I trust you will settle it.",
        ),
    ),
    "payment-page-fails": Doubt(
        {"bug": 0.5, "billing": 0.5},
        (
            "The payment page for {the_product} refuses our card, we can't settle the {amount}.",
            "Paying the {amount} ends with {code} whatever card I take.",
            "I tried to pay {amount} for {the_product} {when} and the page just reloads.",
            "Your checkout won't accept the payment of {amount}. The bank says it is not them.",
            "Payment of invoice {order} over {amount} is declined on your site, our card is fine.",
        ),
    ),
    "locked-out-by-update": Doubt(
        {"bug": 0.7, "account": 0.3},
        (
            "Since the update of {the_product} I am thrown out right after I sign in.",
            "{the_product} says that my user does not exist, yesterday it still did.",
            "Signing in on {device} leads to a blank page ever since the new version.",
            "After the release {when} my login is rejected, though the password is right.",
            "The new version of {the_product} doesn't know my user any more, I end up at the start page.",
        ),
    ),
    "settings-or-question": Doubt(
        {"account": 0.5, "other": 0.5},
        (
            "What becomes of our documents in {the_product} when {person} leaves the team?",
            "Is it possible for {the_company} to have guests in {the_product} who can only read?",
            "Can several people share one seat of {the_product}, and how would we set it up?",
            "We think of moving {count} people to {the_product}. How are the rights arranged?",
            "Could {person} use {the_product} under our name while we decide on the roles?",
        ),
    ),
    "paid-for-broken": Doubt(
        {"refund": 0.35, "bug": 0.65},
        (
            "I paid {amount} for {the_product} and it does not even start. What now?",
            "{amount} spent on {the_product} and all I ever see is {code}. I expect a solution.",
            "For {amount} I had hoped that {the_product} would work, it doesn't on {device}.",
            "{the_product} has been useless from the first day, and that for {amount}. Do something.",
            "Not worth the {amount}: {page} of {the_product} is broken. How do you make good for it?",
        ),
    ),
}
"""Kind -> what is in doubt. The readings' labels follow the guide, so priority and escalate go with
the intent that is chosen."""
