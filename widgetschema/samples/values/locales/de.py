"""German texts for sample values; what only machines read comes from English."""

from __future__ import annotations

from typing import Final

from widgetschema.samples.values.locales import ensemble, people, texts

POOLS: Final[dict[str, tuple[str, ...]]] = {
    "phrase": texts("""
        Neu | Gut zu wissen | Auf einen Blick | Von Hand gemacht | Für alle da | Jederzeit bereit
        Nur solange der Vorrat reicht | Unsere Lieblinge | Diese Woche entdeckt | Schön gemütlich
        Aus {eigener Küche, unserer Werkstatt, dem eigenen Garten, unserem Archiv}
        Klein, aber fein | Für die ganze {Familie, Klasse, Nachbarschaft} | Bei jedem Wetter
        Fragen kostet nichts | {Zwei, Fünf, Zehn} Minuten vom {Bahnhof, Hafen, Markt, Stadtpark}
        Einen Umweg wert | Frisch {aus der Werkstatt, vom Feld, aus dem Ofen}
        Am besten {vormittags, im Mai, zu zweit} | Jetzt in {Grün, Blau, Wolle, Eiche}
        Jeden {Montag, Freitag, Sonntag} um {neun, zwölf}
    """),
    "title": texts("""
        Willkommen | Über uns | Das ist neu | Unser Team | Öffnungszeiten | Ihr Besuch bei uns
        {Frühlings, Sommer, Herbst, Winter}{angebote, fest, kurse, mode, karte, konzerte, touren}
        Frisch aus {dem Garten, dem Ofen, der Region} | Häufige Fragen | So erreichen Sie uns
        {Tisch, Zimmer, Platz, Boot, Kurs} reservieren | Unsere Preise | So funktioniert es
        Geschichten {von unterwegs, aus der Küche, vom Hafen, aus der Werkstatt} | Zufriedene Gäste
        Geschenke unter {zehn, zwanzig, fünfzig} Euro | Die richtige Größe | Vielen Dank
        Ein Tag {am Meer, am See, in den Bergen, auf dem Hof}
        Bereit {fürs Wochenende, für den Schnee}
        Alles rund {ums Fahrrad, um den Garten, um die Küche, um den Balkon} | Neues aus dem Atelier
        {Zehn, Fünf, Sieben} {Ideen, Rezepte, Ausflüge, Tipps} für {Familien, Regentage, den Sommer}
        {Neun, Zwölf} {Spiele, Touren, Geschenke} für {zwei, kalte Abende, eine große Tafel}
        Kleine Kunde {des Brotes, des Honigs, der Wolle, der Rosen} | Hinter den Kulissen
    """),
    "subtitle": texts("""
        Seit 1987 | Drei Etagen voller Bücher | Kaffee, Kuchen und gute Gespräche
        Für jede Größe und jede Jahreszeit | Lernen im eigenen Tempo | In kleinen Mengen gefertigt
        Alles für einen Tag im Grünen | Täglich außer montags | Versand ab vierzig Euro kostenlos
        Ein ruhiger Ort mitten in der Stadt | Ideen für große und kleine Gärten
    """),
    "description": texts("""
        Alles Wichtige in Kürze.
        Wir backen jeden Morgen, und was übrig bleibt, bekommen die Nachbarn.
        Danke für Ihren Besuch. Die nächsten Angebote gibt es im Frühling.
        Unsere Wanderführer kennen jeden Pfad und die meisten Schafe beim Namen.
        Farbe aussuchen, Größe nennen, und in zwei Tagen ist das Paket unterwegs.
        Im Atelier ist Platz für zwölf Leute, gutes Licht und ein sehr altes Klavier.
        Bringen Sie bequeme Schuhe und etwas zu trinken mit, um den Rest kümmern wir uns.
        Jede Lampe wird von Hand aus Eschenholz gedrechselt, keine gleicht der anderen.
        Kinder unter sechs fahren frei. Hunde dürfen mit aufs Oberdeck.
        Bis zum Vorabend können Sie kostenlos absagen, ganz ohne Begründung.
        Ein kleines Team, drei Lieferwagen und eine Halle voller Pflanzen: Das sind wir.
        In unserem Newsletter erfahren Sie als Erste von neuen Kursen.
        Frühstück, Handtücher und der Blick über den Hafen sind im Preis enthalten.
        Eine Reparatur dauert etwa eine Woche. So lange leihen wir Ihnen ein Fahrrad.
        Was als Marktstand begann, füllt heute zwei Stockwerke der alten Mühle.
    """),
    "button": texts("""
        OK | Jetzt kaufen | Mehr erfahren | Tisch reservieren | Alle Angebote | Jetzt starten
        Kontakt | Anmelden | Mehr anzeigen | Nachricht senden | In den Warenkorb | Kostenlos testen
        Platz sichern | Weiterlesen | Speisekarte ansehen | Filiale finden | Weiter
        Video ansehen | Tarif wählen | Details ansehen
    """),
    "label": texts("""
        Name | Nachricht | Datum | Gäste | Größe | Farbe | Menge | Kategorie | Summe | Betreff
        Anreise | Abreise | Ihr Wunsch | Anzahl der Plätze | Lieferung | Anmerkung
    """),
    "label_days": texts("Tage | Tag(e) | T | Tg. | TAGE"),
    "label_hours": texts("Stunden | Stunde(n) | Std. | h | STUNDEN"),
    "label_minutes": texts("Minuten | Minute(n) | Min. | min | MINUTEN"),
    "label_seconds": texts("Sekunden | Sekunde(n) | Sek. | s | SEKUNDEN"),
    "label_weeks": texts("Wochen | Woche(n) | Wo. | W"),
    "label_months": texts("Monate | Monat(e) | Mon. | M"),
    "label_years": texts("Jahre | Jahr(e) | J"),
    "label_email": texts("E-Mail | Ihre E-Mail | E-Mail-Adresse"),
    "label_phone": texts("Telefon | Ihre Nummer | Mobil | Rufnummer"),
    "label_name": texts("Name | Ihr Name | Vorname | Nachname | Vor- und Nachname"),
    "placeholder": texts("""
        Suche | Ihr Name | name@example.com | Ihre Nachricht | Datum wählen | Beliebige Farbe
        Wie können wir helfen? | Ort oder Postleitzahl | Mindestens acht Zeichen
    """),
    "message": texts("""
        Danke! | Bis bald. | Ihre Nachricht ist unterwegs.
        Am Freitag bleibt geschlossen. | Gespeichert.
        Ihr Platz ist reserviert. | Ihr Paket ist unterwegs. | Nur noch wenige Plätze frei.
        Diese Seite speichert Ihren Warenkorb in Cookies. | Bitte prüfen Sie Ihr Postfach.
        Sie sind jetzt abgemeldet.
    """),
    "error": texts("""
        Fehler | Bitte später noch einmal versuchen. | Bitte füllen Sie dieses Feld aus.
        Bei uns ist etwas schiefgegangen. | Dieser Tag ist schon vorbei. | Die Datei ist zu groß.
        Dazu haben wir nichts gefunden. | Diesen Code kennen wir nicht. | Keine Verbindung.
    """),
    "consent": texts("""
        Ich stimme zu. | Ja, schicken Sie mir einmal im Monat Ihren Newsletter.
        Ich habe die Hinweise zum Datenschutz gelesen. | Sie dürfen mich dazu anrufen.
        Ich bin über achtzehn Jahre alt.
    """),
    "alt": texts("""
        Unser Laden | Ein rotes Fahrrad vor einer Backsteinwand | Zwei Tassen Kaffee auf dem Tisch
        Blick über den Hafen am Abend | Eine Töpferin bei der Arbeit | Regale voller alter Bücher
        Kinder mit einem Drachen | Frisches Brot auf einem Holzbrett | Das Team im Garten
        Eine enge Gasse mit Laternen | Schafe auf grünem Hügel | Eine Katze schläft auf der Tastatur
    """),
    "caption": texts("""
        Im Garten | Unsere Werkstatt bei Nacht | Der erste Schnee des Jahres | Markttag
        Sommer am See | Premierenabend | Vor dem Gewitter | Ein stiller Morgen
        Die alte Mühle, von der Brücke gesehen | Ernte im September
    """),
    "quote": texts("""
        Einfach toll! | Wir wollten eine Stunde bleiben, es wurde ein ganzer Tag.
        Der beste Käsekuchen weit und breit. | Freundlich, schnell, ehrlich. Gern wieder.
        Mein Rad lief noch nie so leicht. | In zehn Minuten eingerichtet.
        Sie haben mir sogar am Sonntagabend geantwortet.
        Erst war ich skeptisch, jetzt erzähle ich allen davon.
        Seit einem Monat haben wir doppelt so viele Buchungen.
        Der einzige Laden, in dem mein Sohn nach Gemüse fragt.
    """),
    "first_name": texts("""
        Ida | Ben | Clara | David | Emma | Farid | Greta | Hugo | Jasmin | Jonas | Käthe | Lukas
        Mira | Noah | Özlem | Paul
    """),
    "last_name": texts("""
        Baum | Krüger | Vogt | Yılmaz | Brandt | Nguyen | Haas | Kowalski | Feld | Schäfer | Stein
        Weiß | Lindner | Möller | Fink | Rossi
    """),
    "company": texts("""
        Eiche GmbH | Kupferwerkstatt | Bäckerei Linden | Alte Mühle GmbH | Verlag Blaue Tür
        Hafenkontor AG | Nordwind Reisen | Schäfer & Söhne | Gärtnerei Wacholder | Café Laterne
        Buchhandlung Vogt | Tischlerei Nussbaum | Radladen am Fluss | Lindner & Partner
        Atelier Haas | Wiesenhof KG | Töpferei Brandt | Gasthof zur Brücke | Optik Weiß
        Druckerei Möller
    """),
    "badge": texts(
        "Neu | Beliebt | Angebot | Unser Tipp | Nur kurze Zeit | Bestseller | Reduziert"
    ),
    "credit": texts("""
        Foto: Clara Vogt | Foto: Ben Krüger | Foto: Mira Feld, Kupferwerkstatt
        Bild: Nordwind Reisen | Illustration: Greta Haas
    """),
    "copyright": texts("""
        © 2024 Clara Vogt | © Atelier Haas | © 2023 Verlag Blaue Tür | © Nordwind Reisen
    """),
    "footnote": texts("""
        Solange der Vorrat reicht. | Alle Preise inkl. MwSt. | Es gelten unsere AGB.
        Nicht mit anderen Angeboten kombinierbar.
    """),
    "dismiss": texts("Schließen | Nein, danke | Jetzt nicht | Abbrechen | Vielleicht später"),
    "hint": texts("""
        Optional | Ihre Adresse geben wir nicht weiter. | Das lässt sich später ändern.
        Mindestens acht Zeichen. | Höchstens drei zur Auswahl.
    """),
    "job": texts("""
        Geschäftsführung | Projektleitung | Design | Webentwicklung | Buchhaltung | Vertrieb
        Kundenberatung | Fotografie | Stadtführungen | Filialleitung | Redaktion | Einkauf
        Backstube | Technische Leitung
    """),
    "plan": texts("""
        Gratis | Basis | Starter | Plus | Team | Business | Familie | Premium | Studierende
    """),
    "feature": texts("""
        Kostenloser Versand | Unbegrenzt viele Projekte | Telefonischer Support | 10 GB Speicher
        Eigene Domain | Jederzeit kündbar | Bis zu fünf Personen | Tägliche Sicherung
        Ohne Einrichtungsgebühr | Berichte per E-Mail | Vorabzugang | Zwei Jahre Garantie
    """),
    "product": texts("""
        Tasse | Wollschal | Schreibtischlampe | Gartenstuhl | Reisetasche | Stadtrad | Kräutertee
        Kochbuch | Regenjacke | Wanduhr | Picknickdecke | Holzeisenbahn
    """),
    "tag": texts("""
        Neues | Angebote | Essen | Reisen | Familie | Draußen | Design | Musik | Rezepte
        Termine | Garten | Sport | Bücher | Gesundheit | Kurse
    """),
    "country": texts("""
        Irland | Deutschland | Frankreich | Kanada | Japan | Kenia | Norwegen | Portugal | Chile
        Indien | Neuseeland | Österreich
    """),
    "city": texts("""
        Ulm | Köln | Berlin | Wien | Zürich | Leipzig | Bremen | Görlitz | Graz | Freiburg | Hamburg
        Innsbruck
    """),
    "region": texts(
        "Hessen | Bayern | Tirol | Sachsen | Wallis | Brandenburg | Steiermark | Aargau"
    ),
    "address": texts("""
        Marktplatz 1, Ulm | Mühlgasse 12, 50667 Köln | Hafenstraße 48, Bremen
        Bahnhofsplatz 7, Leipzig | Am Obstgarten 23, Freiburg | Burgberg 5, Görlitz
        Parkallee 160, 10115 Berlin | Kapellenweg 31, Graz | Lindenring 9, Zürich
    """),
    "postcode": texts("10115 | 50667 | 89073 | 04109 | 28195 | 1010 | 8001 | 79098"),
    "phone": texts("""
        030 23125 000 | +49 30 23125 123 | +49 30 23125 958 | +49 69 90009 042 | 0221 4710 217
        +49 40 66969 143 | +49 89 99998 187 | 040 66969 109
    """),
    "price": texts("""
        5 € | 9,90 € | 12 € | 19 € | 24,50 € | 49 € | 75 € | 120 € | 249 € | ab 15 €
        8 € im Monat | Kostenlos
    """),
    "old_price": texts("310 € | 349 € | 325,50 € | 399 € | 420 € | 450 € | 499 €"),
    "percentage": texts("10 % | 5 % | 15 % | 20 % | 25 % | 30 % | 50 % | 12,5 %"),
    "opening_hours": texts(
        "9–17 Uhr | Mo–Fr 9–18 | Sa 10–14 | Täglich 8–20 | Geschlossen | Di–So 11–19"
    ),
    "duration": texts("1 Std. | 30 Min. | 45 Min. | 2 Stunden | 3 Tage | eine Woche | 90 Minuten"),
    "weekday": texts("Montag | Dienstag | Mittwoch | Donnerstag | Freitag | Samstag | Sonntag"),
    "month": texts("""
        Januar | Februar | März | April | Mai | Juni | Juli | August | September | Oktober
        November | Dezember
    """),
    "project_name": texts("""
        Gartenplaner | Hafenführer | Radfinder | Rezeptkasten | Stadtplan | Offene Regale
        Windvorhersage | Kursbuchung
    """),
    "option": texts("""
        Ja | Nein | Weiß nicht | Klein | Mittel | Groß | Jeden Tag | Einmal die Woche
        Am Telefon | Im Laden | Sonstiges
    """),
    "filler": texts("""
        und | mehr | schöne | Dinge | für | einen | guten | Tag | mit | Zeit | unter | Freunden
        Musik | am | Wasser | etwas | Ruhe | in | der | Sonne | dazu | viel | Licht
    """),
}

ENSEMBLES: Final[tuple[dict[str, tuple[str, ...]], ...]] = (
    ensemble(
        "label_days label_hours label_minutes label_seconds label_weeks label_months label_years",
        """
        Tage | Stunden | Minuten | Sekunden | Wochen | Monate | Jahre
        TAGE | STUNDEN | MINUTEN | SEKUNDEN | WOCHEN | MONATE | JAHRE
        Tag(e) | Stunde(n) | Minute(n) | Sekunde(n) | Woche(n) | Monat(e) | Jahr(e)
        Tg. | Std. | Min. | Sek. | Wo. | Mon. | J.
        T | h | min | s | W | M | J
        """,
    ),
    ensemble(
        "timer_title post_title post_description",
        """
        Endet in | Vorbei | Danke für Ihr Interesse.
        Der {Ausverkauf, Frühbucherrabatt, Räumungsverkauf, Lagerverkauf} endet {in, schon in} |\
            Der {} ist zu Ende | Nach dem {} gilt wieder der normale Preis.
        Die {Jubiläumswoche, Sparwoche, Rabattaktion, Probezeit} endet {in, schon in} |\
            Die {} ist vorbei | Knapp verpasst: Die nächste {} steht schon fest.
        Einlass {zum Konzert, zum Filmabend, zur Ausstellung, zum Quizabend, zur Lesung} {in,\
            schon in} | Einlass {} | Es hat begonnen: Willkommen {}.
        Der {Töpfer, Back, Yoga, Näh, Foto, Garten, Sprach, Tanz}kurs {beginnt, startet} {in,\
            schon in} | Der {}kurs hat begonnen | Der nächste {}kurs beginnt im Frühling.
        Vorverkauf {für das Festival, für die Premiere, für das Finale, für die Gala} in |\
            Karten {} gibt es jetzt | Wählen Sie Ihre Plätze {}: bis zu sechs je Bestellung.
        Anmeldeschluss {für den Marathon, für das Seminar, für die Freizeit, für die Tagung} in |\
            Anmeldung {} geschlossen | Alle Plätze {} sind vergeben.
        Die Übertragung {des Konzerts, des Vortrags, des Spiels, der Auktion} {beginnt,\
            startet} in | Wir sind live | Danke fürs Warten: Sie sehen nun die Bilder {}.
        Die neuen {Lampen, Räder, Schals, Tassen, Stiefel, Drachen} {kommen, sind da} {in,\
            schon in} | Die neuen {} sind da | Die neuen {} stehen im Regal, in allen Farben.
        """,
    ),
    ensemble(
        "question answer",
        """
        Wie geht das? | Sie wählen aus, den Rest machen wir.
        Was kostet {das, eine Tageskarte, die Führung, der Kurs}? |\
            Zwölf Euro; Kinder unter sechs sind frei.
        Wann haben Sie geöffnet? | Täglich von neun bis sechs, donnerstags sogar bis acht Uhr.
        Dürfen {Hunde, Kinder, Räder} mit? | Ja, gern: {} sind willkommen.
        Liefern Sie {ins Ausland, auf Inseln, am Samstag}? | Ja, {} dauert es zwei Tage länger.
        Wie sage ich {eine Buchung, eine Bestellung, einen Kurs} ab? |\
            Bis zum Vorabend genügt eine kurze Nachricht.
        Welche {Größen, Farben, Stoffe} gibt es? | Die Liste der {} steht neben jedem Bild.
        Kann ich {mit Karte, bar, auf Rechnung, in Raten} zahlen? |\
            Sie können {} zahlen oder mit einem Gutschein.
        Wie lange dauert {die Lieferung, eine Reparatur, eine Antwort, die Führung}? |\
            Meist dauert {} nicht mehr als drei Tage.
        Brauche ich Vorkenntnisse? | Nein. Ein wenig Zeit genügt, das Werkzeug leihen wir Ihnen.
        Was passiert bei {Regen, Schnee}? | Bei {} ziehen wir um: In der Scheune ist Platz für alle.
        Ist {das Frühstück, die Fahrkarte, die Versicherung} dabei? |\
            Ja, {} ist in jedem Preis enthalten.
        Wo ändere ich {mein Passwort, meine Adresse, meine Bestellung}? |\
            In Ihrem Konto finden Sie {} ganz oben.
        """,
    ),
    ensemble(
        "city postcode region country country_code address phone",
        """
        Ulm | 89073 | Baden-Württemberg | Deutschland | DE | Marktplatz 1 | +49 89 99998 187
        Köln | 50667 | Nordrhein-Westfalen | Deutschland | DE | Mühlgasse 12 | 0221 4710 217
        Berlin | 10115 | Berlin | Deutschland | DE | Parkallee 160 | +49 30 23125 123
        Leipzig | 04109 | Sachsen | Deutschland | DE | Bahnhofsplatz 7 | +49 30 23125 958
        Wien | 1010 | Wien | Österreich | AT | Burgberg 5 | +43 1 2345 0187
        Zürich | 8001 | Zürich | Schweiz | CH | Lindenring 9 | +41 44 555 01 09
        """,
    ),
    people(POOLS["first_name"], POOLS["last_name"]),
)
