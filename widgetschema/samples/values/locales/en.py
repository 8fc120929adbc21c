"""English texts for sample values, and the texts that serve every language."""

from __future__ import annotations

from typing import Final

from widgetschema.samples.values.locales import ensemble, people, texts

_READ: Final[dict[str, tuple[str, ...]]] = {  # what another language has to bring, too
    "phrase": texts("""
        New | Good to know | At a glance | Made with care | Open to everyone | Ready when you are
        While stocks last | Our favourites | Seen this {week, month} | Made to last | Worth the walk
        From our {kitchen, workshop, garden, studio, archive} | Ask us anything | Small but lovely
        For the whole {family, team, class, village} | Rain or shine | First come, first served
        {Two, Five, Ten} minutes from the {station, harbour, market, park} | Back by request
        Best before {noon, Friday, Easter} | Quietly brilliant
        Straight from the {farm, press, oven} | Now in {green, blue, wool, oak, three sizes}
        Every {Monday, Friday, Sunday} at {nine, noon}
    """),
    "title": texts("""
        Welcome | Our story | What is new | Meet the team | Opening hours | Plan your visit
        {Spring, Summer, Autumn, Winter} {sale, festival, courses, collection, menu, walks, market}
        Fresh from the {garden, oven, coast, mountains} | Frequently asked | Get in touch
        Our prices | Book a {table, tour, room, course, seat, boat} | How it works | Happy guests
        Find your size | Stories from the {road, kitchen, harbour, workshop}
        Ready for the {weekend, holidays, snow} | Gifts under {ten, twenty, fifty}
        A day {by the sea, in the hills, at the lake, on the farm}
        Everything for your {bike, garden, kitchen, desk, picnic, balcony}
        News from the {studio, mill}
        The {art, joy, secret, craft} of {baking, weaving, gardening, travel, tea, repair, cheese}
        {Ten, Five, Seven} {ideas, gifts, walks, tips} for {beginners, families, rainy days, summer}
        {Nine, Twelve} {recipes, games, trips} for {two, the weekend, a cold evening, a large table}
        {A guide to, All about} {bread, honey, lamps, kites, wool, roses, apples}
        Behind the scenes | Thank you
    """),
    "subtitle": texts("""
        Since {1928, 1956, 1987, 2004} | {Three, Two} floors of {books, toys, plants, lamps}
        {Coffee, Tea, Soup}, cake and company | All sizes, all seasons | Learn at your own pace
        Handmade in {small batches, the old mill, our studio} | Open every day but {Monday, Sunday}
        Everything you need for a {day, night, week} {out, in the hills, by the sea}
        With free delivery from {thirty, forty, fifty} euros | A quiet place in town
        Ideas for large and small {gardens, kitchens, budgets} | Walks, tours and day trips
        {Courses, Concerts, Readings, Markets} in {spring, summer, autumn, winter}
    """),
    "description": texts("""
        All you need to know.
        We bake every morning, and what is left goes to our neighbours.
        Thank you for stopping by. The next sale starts in spring.
        Our guides know every path in the hills, and most of the sheep by name.
        Choose a colour, tell us your size, and we post it within two days.
        The studio has room for twelve people, good light and a very old piano.
        Bring comfortable shoes and something to drink; we take care of the rest.
        Each lamp is turned by hand from local ash wood, so no two are quite alike.
        Children under six travel free. Dogs are welcome on the upper deck.
        You can cancel until the evening before, at no charge and with no questions.
        A small team, three vans and a warehouse full of plants: that is all of us.
        Join our letter to hear about new courses before anybody else does.
        Prices include breakfast, towels and the view over the harbour.
        Repairs take about a week. If it takes longer, we lend you a bicycle.
        What began as a stall on the market now fills two floors of the old mill.
        The tour lasts about two hours and ends where the best ice cream is.
    """),
    "button": texts("""
        OK | Buy now | Learn more | Book a table | See all offers | Get started | Contact us
        Sign up | Show more | Send message | Add to basket | Try it free | Reserve a seat
        Read the story | Download the menu | Find a shop | Continue | Watch the video
        Choose a plan | View details
    """),
    "label": texts("""
        Name | Message | Date | Guests | Size | Colour | Quantity | Category | Total | Subject
        Arrival | Departure | Your wish | Number of seats | Delivery | Comment
    """),
    "label_days": texts("Days | Day(s) | D | d | DAYS | days"),
    "label_hours": texts("Hours | Hour(s) | Hrs | h | HOURS | hours"),
    "label_minutes": texts("Minutes | Minute(s) | Mins | min | MINUTES | minutes"),
    "label_seconds": texts("Seconds | Second(s) | Secs | s | SECONDS | seconds"),
    "label_weeks": texts("Weeks | Week(s) | Wks | w | weeks"),
    "label_months": texts("Months | Month(s) | Mths | months"),
    "label_years": texts("Years | Year(s) | Yrs | y | years"),
    "label_email": texts("Email | Your email | Email address"),
    "label_phone": texts("Phone | Your number | Mobile | Telephone"),
    "label_name": texts("Name | Your name | First name | Last name | Full name"),
    "placeholder": texts("""
        Search | Your name | you@example.com | Type your message | Choose a date | Any colour
        How can we help? | City or postcode | At least eight letters | Tell us about your day
    """),
    "message": texts("""
        Thank you! | See you soon. | Your message is on its way.
        We will be closed on Friday. | Your place is reserved.
        Your order has left our house. | Only a few seats are left. | Saved.
        This page uses cookies to remember your basket. | Check your inbox for a letter from us.
        You are signed out now.
    """),
    "error": texts("""
        Failed | Please try again later. | Please fill in this field. | That code is unknown.
        Something went wrong on our side. | This date has already passed. | The file is too large.
        No results for your search. | Your card was declined. | You seem to be offline.
    """),
    "consent": texts("""
        I agree to the terms. | Yes, send me your letter once a month.
        I have read the privacy notice. | You may call me about my request.
        I am over eighteen years old.
    """),
    "alt": texts("""
        Our shop | A {red, blue, green} bicycle in front of a {brick, white, stone} wall
        {Two cups of coffee, A loaf of bread, Three lemons, A vase of tulips} on a {table, board}
        View over the {harbour, lake, valley, old town} at {dusk, noon, dawn}
        A potter at the wheel | Shelves full of {old books, jars, wool, records}
        Children flying a kite | The team in the garden | A narrow street with lanterns
        {Sheep, Cows, Two horses} on a green hill | A cat asleep on a {keyboard, chair}
    """),
    "caption": texts("""
        In the {garden, orchard, greenhouse, yard} | Our {workshop, kitchen, shop} at night
        Market day | The first {snow, apples, guests} of the year
        {Summer, Autumn, Sunday} on the {lake, farm, coast} | Opening night | Before the storm
        A quiet {morning, evening} | Harvest in {August, September}
        The old {mill, bridge, harbour}, seen from the {tower, ferry, hill}
    """),
    "quote": texts("""
        Simply great! | We came for {an hour, lunch, the view} and stayed {all day, until dusk}.
        The best {cheesecake, coffee, bread, soup} this side of the river.
        Friendly, fast and fair.
        My {bicycle, lamp, piano, kettle} has never {run, looked, worked} this well.
        I will be back. | Set up in ten minutes, and our {visitors, guests, members} love it.
        Good value, good people. | They answered my question on a {Sunday, Friday} evening.
        Now I tell all my friends.
        Our {booking numbers, sales, visits} doubled within a {month, year}.
        The only shop where my {son, daughter} asks for {vegetables, books}.
    """),
    "first_name": texts("""
        Ann | Ben | Clara | David | Ella | Farid | Grace | Hugo | Isla | Jonas | Kira | Liam
        Maya | Noah | Olive | Priya
    """),
    "last_name": texts("""
        Lee | Carter | Mills | Okafor | Brook | Nguyen | Hale | Sharma | Field | Moreau | Stone
        Kowalski | Ward | Bailey | Finch | Rossi
    """),
    "company": texts("""
        Oak Ltd | {Blue Door, Quiet Corner, Castle Hill, Riverside} {Books, Cycles, Pottery, Press}
        {Old Mill, Bright Side, Station Street} {Bakery, Coffee, Garage} | Northwind Travel
        {Harbour, Juniper, Meadow, Copper} {Studio, Design, Works, Farm Shop} | Stone Bridge Inn
        {Carter, Hale, Finch} {Brothers, & Daughters, & Sons, Gardens}
        {Lantern, Walnut} & {Field, Sons}
    """),
    "badge": texts("New | Popular | Sale | Best value | Limited | Recommended | Last chance"),
    "credit": texts("""
        Photo: Clara Mills | Photo: Ben Carter | Photo: Maya Field, Harbour Studio
        Picture: Northwind Travel | Illustration: Isla Hale
    """),
    "copyright": texts("""
        © 2024 Clara Mills | © Old Mill Studio | © 2023 Blue Door Books | © Northwind Travel
    """),
    "footnote": texts("""
        While stocks last. | Prices include tax. | Not valid with other offers. | Terms apply.
    """),
    "dismiss": texts("Close | No, thanks | Not now | Cancel | Maybe later"),
    "hint": texts("""
        Optional | We never share your address. | You can change this later.
        At least eight characters. | Choose up to three.
    """),
    "job": texts("""
        Designer | Head baker | Project manager | Gardener | Tour guide | Web developer
        Accountant | Founder | Customer support | Photographer | Yoga teacher | Shop manager
        Chief engineer | Bookseller
    """),
    "plan": texts("Free | Basic | Starter | Plus | Team | Business | Family | Premium | Student"),
    "feature": texts("""
        Free delivery | Unlimited projects | Support by phone | Ten gigabytes of space
        Your own domain | Cancel at any time | Up to five people | Daily backups
        No setup fee | Reports by email | Early access | Two years of warranty
    """),
    "product": texts("""
        Mug | {Wool, Silk, Cotton} scarf | {Desk, Floor, Reading} lamp
        {Garden, Folding, Rocking} chair | {Travel, Shoulder, Tote} bag
        {City, Mountain, Children’s} bike | {Herbal, Green, Black} tea | Cookbook
        {Rain, Winter, Linen} jacket | {Wall, Kitchen, Alarm} clock | Picnic blanket | Wooden train
    """),
    "tag": texts("""
        News | Sale | Food | Travel | Family | Outdoors | Design | Music | Recipes | Events
        Garden | Sports | Books | Health | Workshops
    """),
    "country": texts("""
        Ireland | Germany | France | Canada | Japan | Kenya | Norway | Portugal | Chile | India
        New Zealand | Austria
    """),
    "city": texts("""
        Cork | Bristol | Berlin | Lyon | Toronto | Kyoto | Nairobi | Bergen | Porto | Valparaíso
        Pune | Vienna
    """),
    "region": texts("Kent | Bavaria | Ontario | Brittany | Munster | Tuscany | Otago | Cornwall"),
    "address": texts("""
        1 High Street, Cork | 12 Mill Lane, Bristol | 48 Harbour Road, Bergen
        7 Station Square, Toronto | 23 Orchard Close, Leeds | 5 Castle Hill, Kilkenny
        160 Park Avenue, Wellington | 31 Chapel Row, Bath | 9 Market Place, Ripon
    """),
    "postcode": texts("10115 | BS1 4ST | T12 W8KP | 69001 | M5V 2T6 | 4051 | 1010 | YO1 7HH"),
    "phone": texts("""
        +44 20 7946 0000 | +44 20 7946 0123 | +44 20 7946 0958 | +44 161 496 0042
        +44 117 496 0217 | +1 202 555 0143 | +1 202 555 0187 | +1 512 555 0109
    """),
    "price": texts("""
        €5 | €9.90 | €12 | €19 | €24.50 | €49 | €75 | €120 | €249 | from €15 | €8 a month | Free
    """),
    "old_price": texts("€310 | €349 | €325.50 | €399 | €420 | €450 | €499"),
    "percentage": texts("10% | 5% | 15% | 20% | 25% | 30% | 50% | 12.5%"),
    "opening_hours": texts("9–5 | Mon–Fri 9–6 | Sat 10–2 | Daily 8–8 | Closed | Tue–Sun 11–7"),
    "duration": texts("1 h | 30 min | 45 min | 2 hours | 3 days | a week | 90 minutes"),
    "weekday": texts("Monday | Tuesday | Wednesday | Thursday | Friday | Saturday | Sunday"),
    "month": texts("""
        January | February | March | April | May | June | July | August | September | October
        November | December
    """),
    "project_name": texts("""
        Garden Planner | Harbour Guide | Bike Finder | Recipe Box | Town Map | Open Shelves
        Kite Forecast | Workshop Booking
    """),
    "option": texts("""
        Yes | No | Not sure | Small | Medium | Large | Every day | Once a week | On the phone
        In the shop | Other
    """),
    "filler": texts("""
        and | more | of | the | good | things | that | make | a | day | worth | while | with | time
        for | friends | music | and | some | quiet | hours | by | the | water
    """),
}

_FOR_MACHINES: Final[dict[str, tuple[str, ...]]] = {
    "colour": texts("""
        #222222 | #ffffff | #f4f1ea | #1f3a5f | #e4572e | #2a9d8f | #f2c14e | #6b4e71 | #3d405b
        #81b29a | #e07a5f | #0b6e4f | #d0d6de | #7a1f3d | #4f6d7a | #fff7e6 | #b5838d | #114b5f
        #c9ada7 | #457b9d | #ffb703 | #8ecae6 | #52796f | #000000
    """),
    "gradient": texts("""
        linear-gradient(#ffffff, #f4f1ea) | linear-gradient(90deg, #1f3a5f, #457b9d)
        linear-gradient(135deg, #e4572e, #f2c14e) | linear-gradient(to right, #2a9d8f, #8ecae6)
        radial-gradient(circle, #fff7e6, #ffb703)
        linear-gradient(180deg, #3d405b 0%, #6b4e71 60%, #b5838d 100%)
    """),
    "css": texts("""
        a { color: red; } | .title { letter-spacing: 0.02em; } | .card { border-radius: 12px; }
        .button:hover { opacity: 0.8; } | p { line-height: 1.6; margin: 0 0 1em; }
        .label { text-transform: uppercase; font-size: 12px; }
        .wrapper { max-width: 960px; margin: 0 auto; }
        @media (max-width: 600px) { .card { padding: 8px; } }
    """),
    "css_class": texts("card | title | is-wide | button-primary | grid-item | hero | no-print"),
    "css_size": texts("""
        16px | 24px | 8px | 12px | 20px | 48px | 1.5rem | 2rem | 0.75em | 10px | 4px
    """),
    "css_extent": texts("100% | 320px | 480px | 50% | 960px | 40vh | 24rem | auto"),
    "css_border": texts("none | 1px solid #d0d6de | 2px solid #222222 | 1px dashed #e4572e"),
    "css_shadow": texts("""
        none | 0 1px 3px rgba(0, 0, 0, 0.2) | 0 4px 12px rgba(31, 58, 95, 0.15) | 0 0 0 2px #f2c14e
    """),
    "line_style": texts("solid | dashed | dotted | double | none"),
    "letter_style": texts("normal | italic | oblique"),
    "letter_case": texts("none | uppercase | lowercase | capitalize"),
    "selector": texts("#app | .card | main | .gallery img | #timer | header > h1"),
    "size_name": texts("medium | small | large | extra-large | auto"),
    "status": texts("draft | published | active | archived | pending"),
    "link_target": texts("_self | _blank"),
    "unit": texts("px | % | em | rem | vh | vw"),
    "embed": texts("""
        <iframe src="https://example.com/map"></iframe>
        <iframe src="https://example.org/tour" width="640" height="360"></iframe>
        <script src="https://example.net/chat.js"></script> | <div data-form="contact"></div>
    """),
    "regex": (
        "^a",
        "^[a-z]+$",
        "^[0-9]{5}$",
        "^#[0-9a-f]{6}$",
        r"^\d{4}-\d{2}-\d{2}$",
        r"\.(jpg|png|webp)$",
        "^(yes|no)$",
        "^[A-Z][a-z]*(-[a-z]+)?$",
    ),
    "svg": texts("""
        <svg viewBox="0 0 8 8"><path d="M0 4h8"/></svg>
        <svg viewBox="0 0 24 24"><circle cx="12" cy="12" r="9"/></svg>
        <svg viewBox="0 0 16 16"><rect width="16" height="16" rx="3"/></svg>
    """),
    "font": texts("""
        inter | Roboto | open-sans | Lato | Georgia | Montserrat | playfair-display | Verdana
        source-sans-3 | Merriweather | work-sans | Arial
    """),
    "font_weight": texts("400 | 700 | normal | bold | 300 | 500 | 600 | 900"),
    "icon": texts("""
        star | heart | clock | check | arrow-right | map-pin | phone | mail | calendar | camera
        shopping-cart | user | search | gift | bell | play
    """),
    "slug": texts("""
        offers | about-us | {spring, summer, autumn, winter}-{sale, festival, collection, menu}
        contact | opening-hours | menu | {garden, harbour, city, night}-{tour, view, walk} | gallery
        new-arrivals | team | booking | city-bike | faq | workshops | gift-cards
        {first, next}-steps | news
        {bread, honey, wool, tea, kite, lamp}-{guide, shop, stories, news}
        {book, order, visit, plan}-{now, online, today} | {our, new}-{team, prices, courses, rooms}
    """),
    "path": texts("/offers | / | /about-us | /shop/lamps | /blog/2027/harvest | /contact#map"),
    "host": texts("example.com | example.org | example.net"),
    "hostname": texts("""
        example.com | www.example.com | shop.example.org | blog.example.net | example.org
        media.example.com | api.example.net | mail-2.example.org
    """),
    "idn_hostname": texts("""
        example.com | bücher.example.com | café.example.org | garten-möbel.example.net
        例え.example.com | www.example.org | smörgås.example.com
    """),
    "ipv4": texts("192.0.2.1 | 192.0.2.44 | 198.51.100.7 | 198.51.100.200 | 203.0.113.99"),
    "ipv6": texts(
        "2001:db8::1 | 2001:db8:0:42::7 | 2001:db8::c0a8:101 | ::1 | 2001:db8:a:b:c:d:e:f"
    ),
    "mailbox": texts("""
        info | hello | ann.lee | support | orders | ben.carter | news | press | maya_field
        booking | jobs | clara+shop | no-reply | team | office | h.moreau
    """),
    "idn_email": texts("""
        info@example.com | jürgen@example.org | zoë.müller@example.com | renée@example.net
        grüße@example.com | łukasz@example.org | 田中@example.com | hello@bücher.example.com
    """),
    "username": texts("""
        ann | ben_carter | clara.m | harbour_girl | old_mill | maya42 | the.baker | noah_rides
        bluedoor | isla-s | kite_club | jonas
    """),
    "hashtag": texts(
        "#spring | #openday | #handmade | #bikelife | #harvest2027 | #bookworm | #weekend"
    ),
    "emoji": texts("⭐ | 🎉 | 🔥 | ☕ | 🚲 | 🌱 | 📷 | 🎁"),
    "network": texts("facebook | instagram | youtube | linkedin | pinterest | tiktok | mastodon"),
    "language": texts("en | de | fr | es | it | pl | nl | pt-BR | en-GB | ja | sv | zh-Hans"),
    "country_code": texts("IE | DE | FR | CA | JP | KE | NO | PT | CL | IN | NZ | AT"),
    "currency": texts("EUR | USD | GBP | CHF | JPY | CAD | SEK | PLN | NZD"),
    "currency_sign": texts("€ | $ | £ | CHF | ¥ | kr | zł"),
    "timezone": texts("""
        UTC | Europe/Berlin | Europe/London | America/New_York | Asia/Tokyo | Africa/Nairobi
        America/Santiago | Pacific/Auckland | Asia/Kolkata
    """),
    "clock_time": texts("""
        09:30 | 08:00 | 10:00 | 11:45 | 12:00 | 13:15 | 14:30 | 16:00 | 17:20 | 18:00 | 20:15
    """),
    "easing": texts(
        "ease | linear | ease-in | ease-out | ease-in-out | cubic-bezier(0.4, 0, 0.2, 1)"
    ),
    "animation": texts("none | fade | slide | zoom | flip | bounce | slide-up | dissolve | rotate"),
    "alignment": texts("left | center | right | justify | start | end"),
    "placement": texts("top | bottom | left | right | center | top-left | bottom-right | inline"),
    "direction": texts("horizontal | vertical | left | right | up | down"),
    "layout": texts(
        "default | grid | list | compact | carousel | masonry | classic | layout-2 | cards"
    ),
    "coupon": texts("SAVE10 | SPRING20 | WELCOME | FREESHIP | SUMMER27 | FRIEND5 | EARLYBIRD"),
    "file_name": texts("""
        menu.pdf | photo.jpg | logo.svg | price-list.xlsx | team-2027.png | tour.mp4 | terms.docx
        harbour.webp | letter.txt | track-01.mp3
    """),
    "media_type": texts("image/png | image/jpeg | image/webp | image/gif | image/svg+xml"),
    "license": texts("CC BY 4.0 | CC0 1.0 | CC BY-SA 4.0 | CC BY-ND 4.0"),
    "input_type": texts("text | email | tel | textarea | checkbox | number | select"),
    "map_style": texts("streets | satellite | terrain | light | dark | hybrid"),
    "file_size": texts("2 MB | 480 KB | 1.4 MB | 12 MB | 95 KB | 3.2 MB"),
    "sku": texts("""
        KB-20417 | KB-11802 | MU-30055 | LA-10944 | TR-20780 | WS-41206 | GC-50318 | CB-60127
    """),
    "billing": texts("monthly | yearly | weekly | quarterly | daily"),
    "ratio": texts("16:9 | 4:3 | 1:1 | 3:2 | 21:9 | 9:16"),
    "trigger": texts("click | scroll | exit-intent | timer | load | hover"),
    "password": texts("""
        correct-horse-7 | quiet-harbour-42 | seven-green-kites-3 | paper-lantern-19
        old-mill-bridge-5 | rainy-tuesday-88
    """),
    "latitude": texts("50.9375 | 48.1372 | 52.5200 | 47.3769 | 51.3397 | 48.3984"),
    "longitude": texts("6.9603 | 11.5756 | 13.4050 | 8.5417 | 12.3731 | 9.9916"),
    "past_year": texts("2024 | 2023 | 2022 | 2021 | 2020 | 2019"),
    "clock_start": texts("09:00 | 08:00 | 08:30 | 09:30 | 10:00 | 10:30 | 11:00"),
    "clock_end": texts("17:00 | 16:00 | 16:30 | 18:00 | 19:30 | 20:00 | 22:00"),
    "number": texts("1 | 3 | 7 | 10 | 12 | 24 | 42 | 100 | 250 | 1987"),
    "rating": texts("5 | 4.5 | 4 | 3.5 | 3 | 2 | 1"),
    "year": texts("2027 | 2026 | 2028 | 2029 | 2025 | 2024 | 2023 | 2019 | 2004 | 1987"),
    "version": texts("1.0 | 1.0.0 | 1.4.2 | 2.0.1 | 2.1.0-beta.1 | 3.12.0"),
    "schema_url": texts(
        "http://json-schema.org/draft-07/schema# | https://json-schema.org/draft/2019-09/schema"
    ),
    "type_name": texts("default | standard | basic | custom | internal | external | public"),
    "package_name": texts("""
        web-forms | date-tools | lantern | harbour-client | image-resize | kite | text-tables
        garden-icons | postal-codes | bike-routes | price-format | core-utils
    """),
    "semantic_version": texts("1.0.0 | 1.4.2 | 2.0.1 | 0.9.3 | 3.12.0 | 2.1.0 | 1.10.4"),
    "separator": texts("- | _ | / | ."),
    "commit": texts("""
        9f2c1b7e4d5a6038c1f0e2b7a94d3c5566e7f801 | 1ff847d81f29c45a3a1a5ce73d38e45c2f319bba
        3e5a0c9d7b64f2185ac0d39e6b7f41d2c8a95e70 | b7d1e0f4a2c35968d7e1f0a3b4c5d6e7f8091a2b
    """),
    "short_date": texts("2027-05-17 | 2026-11-02 | 2028-08-21 | 2027-03-09"),
    "span": texts("30s | 5m | 1h | 10m | 15s | 24h | PT15M | P1D | PT1H"),
    "memory_size": texts("512m | 256Mi | 1g | 2Gi | 128k | 64MB"),
    "locale_tag": texts("en-US | de-DE | fr-FR | en-GB | pt-BR | ja-JP"),
    "file_path": texts(
        "src/main.py | docs/index.md | images/logo.svg | data/prices.csv | README.md"
    ),
    "expression": texts("""
        ${{ github.ref }} | ${{ matrix.python }} | ${{ inputs.target }} | ${{ env.REGION }}
    """),
    "constant": texts("LOG_LEVEL | API_URL | CACHE_DIR | DEBUG | PORT | REGION | STAGE"),
    "word": texts("name | path | version | target | region | format | language | timeout"),
    "map_name": texts("""
        primary | secondary | item-1 | item-2 | item-3 | main | extra | left | right | default
        group-a | group-b | item-4 | first | second | item-5
    """),
    "style_name": texts(
        "primary | secondary | accent | background | text | border | muted | hover"
    ),
    "screen_name": texts("sm | md | lg | xl | mobile | tablet | desktop"),
    "header_name": texts("Accept | Accept-Language | Cache-Control | X-Request-Id | User-Agent"),
    "day_name": texts("mon | tue | wed | thu | fri | sat | sun"),
}

POOLS: Final[dict[str, tuple[str, ...]]] = {**_READ, **_FOR_MACHINES}

_UNITS: Final = (
    "label_days label_hours label_minutes label_seconds label_weeks label_months label_years"
)
_PLACES: Final = "city postcode region country country_code address phone"

ENSEMBLES: Final[tuple[dict[str, tuple[str, ...]], ...]] = (
    ensemble(
        _UNITS,
        """
        Days | Hours | Minutes | Seconds | Weeks | Months | Years
        days | hours | minutes | seconds | weeks | months | years
        DAYS | HOURS | MINUTES | SECONDS | WEEKS | MONTHS | YEARS
        Day(s) | Hour(s) | Minute(s) | Second(s) | Week(s) | Month(s) | Year(s)
        Days | Hrs | Mins | Secs | Wks | Mths | Yrs
        d | h | m | s | w | mo | y
        """,
    ),
    ensemble(
        "timer_title post_title post_description",
        """
        Ends in | Time is up | Thank you for your interest.
        The {spring, summer, autumn, winter, book, flash, garden, shoe} sale {ends, closes,\
            is over} in | The {} sale is over | After the {} sale, the regular prices apply again.
        The {early booking, anniversary offer, free delivery, half-price week, clearance} {ends,\
            expires} in | The {} has ended |\
            You just missed the {}. The next one is already planned.
        The {pottery, baking, yoga, sewing, photo, garden, language, dance} course {starts,\
            begins, is on} in | The {} course has started | The next {} course begins in spring.
        {Doors open, Come in} for the {concert, film night, book fair, exhibition, quiz night,\
            open day} in | The {} has begun | The {} has begun: come in and have a look around.
        Tickets for the {festival, musical, final, premiere, gala, boat tour} {go on sale,\
            are out} in | Tickets for the {} are on sale |\
            Choose your seats for the {}: up to six for each order.
        Registration for the {marathon, workshop, summer camp, conference, webinar} {closes,\
            ends} in | Registration for the {} is closed |\
            All seats of the {} are taken. See you next time.
        The live stream of the {launch, keynote, concert, match, auction} {begins, starts} in |\
            The {} is live | Thanks for waiting: you can watch the {} now.
        The {shop, bakery, museum, pool, library} {reopens, opens again} in | The {} is open |\
            The {} is open again, until eight tonight.
        The new {lamps, bikes, scarves, mugs, boots, kites, coats} {arrive, are here} in |\
            The new {} are here | The new {} are on the shelf, and in all colours.
        """,
    ),
    ensemble(
        "question answer",
        """
        How does it work? | You choose, we do the rest.
        What does {it, a day ticket, the tour, the course} cost? |\
            Twelve euros; children under six come in free.
        When {do you open, does the kitchen open, is the first tour}? |\
            Every day at nine, and at ten on Sundays.
        Can I bring my {dog, children, own tools, laptop}? |\
            Yes, of course: there is room for your {}.
        Do you ship {abroad, to islands, on Saturdays}? |\
            Yes. Parcels that go {} take two days more.
        How do I cancel {a booking, an order, a course}? |\
            Write to us until the evening before, and you pay nothing.
        Is there a {car park, bus stop, playground, café} nearby? |\
            The {} is behind the church, two minutes on foot.
        Which {sizes, colours, materials} do you have? | The list of {} is next to each picture.
        Can I pay {by card, in cash, by invoice, in instalments}? |\
            You can pay {}, or with a gift card.
        How long does {delivery, a repair, an answer, the tour} take? |\
            Usually, {} takes no more than three days.
        Do I need any experience? | No. All you need is a little time; we lend you the tools.
        What happens if it {rains, snows}? | Then we move indoors: the barn has room for everybody.
        Is {breakfast, lunch, the train ticket, insurance} included? |\
            Yes, {} is included in every price.
        Where can I change my {password, address, order, language}? |\
            You find your {} in your account.
        Who do I call in a hurry? | The number on your ticket; we answer until ten at night.
        """,
    ),
    ensemble(
        _PLACES,
        """
        Cork | T12 W8KP | Munster | Ireland | IE | 1 High Street | +353 20 910 0143
        Bath | BA1 2QF | Somerset | United Kingdom | GB | 31 Chapel Row | +44 20 7946 0123
        Berlin | 10115 | Berlin | Germany | DE | Parkallee 160 | +49 30 23125 123
        Lyon | 69001 | Auvergne-Rhône-Alpes | France | FR | 9 rue du Port | +33 1 99 00 12 34
        Toronto | M5V 2T6 | Ontario | Canada | CA | 7 Station Square | +1 416 555 0143
        Vienna | 1010 | Vienna | Austria | AT | Lindenring 9 | +43 1 2345 0187
        Basel | 4051 | Basel-Stadt | Switzerland | CH | Marktplatz 12 | +41 61 555 01 09
        Wellington | 6011 | Wellington | New Zealand | NZ | 160 Park Avenue | +64 4 555 0109
        """,
    ),
    people(_READ["first_name"], _READ["last_name"]),
)

# Colours of one design: behind everything, text, what stands out, and lines.
PALETTES: Final[dict[str, tuple[str, ...]]] = ensemble(
    "colour_background colour_text colour_accent colour_line",
    """
    #ffffff | #222222 | #e4572e | #d0d6de
    #f4f1ea | #1f3a5f | #457b9d | #c9ada7
    #fff7e6 | #3d405b | #e07a5f | #f2c14e
    #1f3a5f | #ffffff | #ffb703 | #8ecae6
    #ffffff | #114b5f | #2a9d8f | #81b29a
    #222222 | #f4f1ea | #f2c14e | #4f6d7a
    """,
)
